import type { Language } from "../backend/generated/types";
import { en } from "./en";
import { nl } from "./nl";

/** A text, or one for 1 and one for any other number. */
export type Message = string | { one: string; other: string };
export type MessageKey = keyof typeof en;
export type Catalogue = Record<MessageKey, Message>;

export const CATALOGUES: Record<Language, Catalogue> = { en, nl };

let language = $state<Language>("en");

export function currentLanguage(): Language {
  return language;
}

export function useLanguage(next: Language): void {
  language = next;
}

/** The text under this key in the user's language; `{names}` are filled in, and `n` decides between one and other. */
export function t(key: MessageKey, values: Record<string, string | number> = {}): string {
  const message = CATALOGUES[language][key];
  const text = typeof message === "string" ? message : values.n === 1 ? message.one : message.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : value;
  });
}

/** The text for a value of a closed list, such as a reason or a state. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in CATALOGUES[language] ? t(key as MessageKey) : value.replaceAll("_", " ");
}

/** What a language is called in the user's own. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

export function day(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(date);
}

export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** How long ago that was, in the largest unit that fits. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const units = [
    ["year", 31_557_600],
    ["month", 2_629_800],
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const fits = units.find(([, size]) => -seconds >= size);
  return fits ? format.format(Math.round(seconds / fits[1]), fits[0]) : t("duration.just_now");
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${number(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${number(value)} ms` : `${number(value / 1000, 1)} s`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return t("duration.seconds", { n: Math.max(1, Math.round(seconds)) });
  if (seconds < 3600) return t("duration.minutes", { n: Math.round(seconds / 60) });
  return t("duration.hours", { n: Math.round(seconds / 3600) });
}
