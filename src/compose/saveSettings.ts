import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { messageOf, UsageError } from '../kernel/errors.ts';
import { makeFolder } from '../store/sealing/makeFolder.ts';
import { writeWhole } from './stores/wholeFile.ts';

interface Saving {
  /** The settings file of the user; created if missing. */
  readonly file: string;
  /** Returns the new text of the file. @throws UsageError if the file cannot be changed */
  edit(text: string): string;
  /** @throws OperatorError if the settings are invalid */
  loadConfig(): Config;
  /** Checks that the settings have what was written. @throws UsageError if another setting goes before the file */
  check(config: Config): void;
}

/**
 * Changes the user's settings file, and makes it readable by its owner only. Restores the file if the result is invalid
 * as a whole.
 * @returns the settings with the change
 * @throws UsageError if the file cannot be written, or another setting takes precedence over it
 */
export function saveSettings({ file, edit, loadConfig, check }: Saving): Config {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const place = before === undefined ? file : realpathSync(file);
  if (before === undefined) makeFolder(dirname(file));
  writeWhole(place, [edit(before ?? '')]);
  try {
    const config = loadConfig();
    check(config);
    return config;
  } catch (error) {
    if (before === undefined) rmSync(place);
    else writeWhole(place, [before]);
    throw error instanceof UsageError ? error : new UsageError(`${file}: ${messageOf(error)}`, undefined, error);
  }
}
