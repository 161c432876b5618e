import type { Config } from '../../config.ts';
import { withConnection, type Written } from '../../config/withConnection.ts';
import { UsageError } from '../../kernel/errors.ts';
import { sameSecret } from '../../kernel/signature.ts';
import { saveSettings } from '../saveSettings.ts';

interface Saving {
  /** The settings file of the user; created if missing. */
  readonly file: string;
  readonly name: string;
  readonly connection: Written;
  /** Settings beside the connection, used if the file lacks them. */
  readonly more: Written;
  /** @throws OperatorError if the settings are invalid */
  loadConfig(): Config;
}

/**
 * Writes a connection into the user's settings.
 * @returns the settings with the connection
 * @throws UsageError if the file cannot be written, or another setting takes precedence over it
 */
export function saveConnection({ file, name, connection, more, loadConfig }: Saving): Config {
  return saveSettings({
    file,
    edit: (text) => withConnection(text, file, name, connection, more),
    loadConfig,
    check(config) {
      if (sameSecret(config.connections[name]?.token ?? '', String(connection['token']))) return;
      throw new UsageError(
        `connections.${name} is said elsewhere, too, and that goes before ${file}`,
        'look at STAYD_CONFIG and STAYD_CONNECTIONS in the environment, or give it another --name',
      );
    },
  });
}
