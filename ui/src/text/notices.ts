import type { Notice, NoticeKind } from "../backend/generated/types";

/** Where a document comes from takes nothing away from what it says. */
const INFORMATION: readonly NoticeKind[] = ["published"];

/** Whether a notice warns of its document, or only tells of it. */
export function toneOf({ kind }: Notice): "caution" | "information" {
  return INFORMATION.includes(kind) ? "information" : "caution";
}
