import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import { withConnection, type Written } from '../../config/withConnection.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import { sameSecret } from '../../kernel/signature.ts';
import { makeFolder } from '../../store/sealing/makeFolder.ts';
import { writeWhole } from '../stores/wholeFile.ts';

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
 * Writes a connection into the user's settings and makes the file readable by its owner only. Restores the file if the
 * result is invalid as a whole.
 * @returns the settings with the connection
 * @throws UsageError if the file cannot be written, or another setting takes precedence over it
 */
export function saveConnection({ file, name, connection, more, loadConfig }: Saving): Config {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const place = before === undefined ? file : realpathSync(file);
  if (before === undefined) makeFolder(dirname(file));
  writeWhole(place, [withConnection(before ?? '', file, name, connection, more)]);
  try {
    const config = loadConfig();
    if (sameSecret(config.connections[name]?.token ?? '', String(connection['token']))) return config;
    throw new UsageError(
      `connections.${name} is said elsewhere, too, and that goes before ${file}`,
      'look at STAYD_CONFIG and STAYD_CONNECTIONS in the environment, or give it another --name',
    );
  } catch (error) {
    if (before === undefined) rmSync(place);
    else writeWhole(place, [before]);
    throw error instanceof UsageError ? error : new UsageError(`${file}: ${messageOf(error)}`, undefined, error);
  }
}
