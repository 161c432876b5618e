import type { Config } from '../config.ts';

/** The process around a command, as the command sees it. */
export interface CliContext {
  /** Reads the configuration. It runs inside a command, so that `--help` works with a broken configuration. */
  loadConfig(): Promise<Config>;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  /** Runs the listener at each hang-up (SIGHUP). Until one listens, and at a terminal always, a hang-up ends the command. */
  onHangUp(listener: () => void): void;
  out(text: string): void;
  err(text: string): void;
  /** Asks the person at the terminal; absent if there is none. `unseen` hides the typed text. */
  ask?(question: string, how?: { unseen: boolean }): Promise<string>;
  /** True if a person watches standard error while the command runs. */
  terminal: boolean;
  /** True if a person watches standard output while the command runs. */
  isRead: boolean;
  /** Sets the exit code of the process: 0 done, 1 found a problem, 2 wrong use. */
  exit(code: 0 | 1 | 2): void;
}
