import type { Config } from '../config.ts';
import type { Applied } from './mirror/applied.ts';

/** What changed in place; or the service begins again with all settings. */
export type Reloaded = { readonly restarting: true } | ({ readonly restarting: false } & Applied);

/** The settings file of the user, and the way to take it in. */
export interface OwnSettings {
  readonly ownFile: string;
  loadConfig(): Config;
  /** Takes in changed connections and levels of the log at once; anything else with a new start. @throws OperatorError; then nothing changes */
  reload(): Promise<Reloaded>;
}
