import type { Command } from 'commander';

/** The options of every command about one mirrored account. */
export interface Chosen {
  connection?: string;
  json?: true;
}

/** Adds `--connection`. */
export function withConnection(command: Command): Command {
  return command.option('--connection <name>', 'which account; needed when several are mirrored');
}

/** Adds a command to a group; `words`: its name and arguments. */
export type AddCommand = (words: string, description: string) => Command;

/** Returns how to add a command about one mirrored account to a group: with `--connection` and `--json`. */
export function addsTo(group: Command): AddCommand {
  return (words, description) =>
    withConnection(group.command(words).description(description)).option('--json', 'as JSON');
}
