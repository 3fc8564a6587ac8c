import { DEFAULT_SETTINGS, LOCAL_THRESHOLDS } from "../generated/settings";
import type { SettingsReport, ThresholdRow } from "../generated/types";

export function defaultSettings(): SettingsReport {
  const defaults = () => structuredClone(DEFAULT_SETTINGS);
  return { settings: defaults(), defaults: defaults(), origins: {} };
}

export function defaultThresholds(): ThresholdRow[] {
  return ["ADR", "Principle", "Policy"].map((collection) => ({
    name: `${collection}_Local`,
    values: { ...LOCAL_THRESHOLDS },
    defaults: { ...LOCAL_THRESHOLDS },
    calibrated: collection === "ADR" ? { ...LOCAL_THRESHOLDS, single_hit: 0.57, several_hits: 0.48 } : null,
    in_use: true,
  }));
}
