import type { Config, OwnFile } from '../config.ts';

/** What a command needs of the process around it. */
export interface CliContext {
  /** Read when a command runs, so that `--help` works with a broken configuration. */
  loadConfig(): Config;
  /** The user's own file of settings. */
  ownFile(): OwnFile;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  /** Asks who sits there; left out where nobody does. `unseen`: what is typed is not shown. */
  ask?(question: string, how?: { unseen: boolean }): Promise<string>;
  /** Whether somebody looks at what is said beside the output, as it comes. */
  terminal: boolean;
  /** Whether somebody looks at the output itself, as it comes. */
  isRead: boolean;
  /** Sets how the process will end: 0 done, 1 found a problem, 2 wrong use. */
  exit(code: 0 | 1 | 2): void;
}
