import type { Config } from '../../config.ts';
import { withoutConnection } from '../../config/withoutConnection.ts';
import { UsageError } from '../../kernel/errors.ts';
import { saveSettings } from '../saveSettings.ts';

interface Removing {
  /** The settings file of the user. */
  readonly file: string;
  readonly name: string;
  /** @throws OperatorError if the settings are invalid */
  loadConfig(): Config;
}

/**
 * Takes a connection out of the user's settings.
 * @returns the settings without the connection
 * @throws UsageError if the file cannot be written, or another setting has the connection
 */
export function removeConnection({ file, name, loadConfig }: Removing): Config {
  return saveSettings({
    file,
    edit: (text) => withoutConnection(text, file, name),
    loadConfig,
    check(config) {
      if (!(name in config.connections)) return;
      throw new UsageError(
        `connections.${name} is said elsewhere, and not in ${file}`,
        'look at STAYD_CONFIG and STAYD_CONNECTIONS in the environment, and take it out there',
      );
    },
  });
}
