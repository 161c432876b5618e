import type { Config } from '../config.ts';

/** The settings file of the user, and the way to begin again with it. */
export interface OwnSettings {
  readonly ownFile: string;
  loadConfig(): Config;
  reload(): Promise<void>;
}
