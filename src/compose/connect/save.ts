import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import { withConnection, type Written } from '../../config/withConnection.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import { sameSecret } from '../../kernel/signature.ts';
import { makeFolder } from '../../store/sealing/makeFolder.ts';
import { writeWhole } from '../stores/wholeFile.ts';

export interface Saving {
  /** The user's own file of settings; made where it is not there. */
  readonly file: string;
  readonly name: string;
  readonly connection: Written;
  /** Settings beside the connection, where the file does not have them. */
  readonly more: Written;
  /** @throws OperatorError where the settings cannot be used */
  loadConfig(): Config;
}

/**
 * Writes a connection into the user's settings, which its owner alone can read from then on. What would not do as a
 * whole is not left there.
 * @returns the settings with it
 * @throws UsageError where the file cannot be written, or something else goes before it
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
