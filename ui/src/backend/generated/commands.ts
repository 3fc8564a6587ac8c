// Generated from crates/contract by `cargo xtask generate`. Do not edit.

import type { AnswerEvent, AskRequest, AskResponse, BannerItem, Settings } from "./types";

export interface Commands {
  /** Answers a question; events stream while it is being answered. */
  ask: { arguments: { request: AskRequest }; event: AnswerEvent; result: AskResponse };
  /** Stops the answer to a question. */
  stop: { arguments: { request_id: string }; event: never; result: null };
  /** What is off at the moment, and until when. */
  banner: { arguments: {}; event: never; result: Array<BannerItem> };
  /** The settings in force. */
  settings: { arguments: {}; event: never; result: Settings };
}

export const COMMANDS = [
  "ask",
  "stop",
  "banner",
  "settings",
] as const;
export const BROADCAST = "plumbline";
