import type { Arguments, CommandName, Result, StreamingCommand } from "../backend";

export type PlainCommand = Exclude<CommandName, StreamingCommand>;

/** What answers commands: all of them together answer each. */
export type Handlers = {
  [C in PlainCommand]: (parameters: Arguments<C>) => Result<C> | Promise<Result<C>>;
};
