import type { Config } from '../config.ts';

/** What a command needs of the process around it. */
export interface CliContext {
  /** Read when a command runs, so that `--help` works with a broken configuration. */
  loadConfig(): Config;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  /** Asks who sits there; left out where nobody does. */
  ask?(question: string): Promise<string>;
  /** Whether somebody looks at what is said beside the output, as it comes. */
  terminal: boolean;
  /** Whether somebody looks at the output itself, as it comes. */
  isRead: boolean;
  /** Sets how the process will end: 0 done, 1 found a problem, 2 wrong use. */
  exit(code: 0 | 1 | 2): void;
}
