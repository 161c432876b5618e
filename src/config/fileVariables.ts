import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../kernel/errors.ts';
import type { Environment } from './layers.ts';

const NAME = /^STAYD_\w+_FILE$/;
const SUFFIX = '_FILE';
/** A whole settings file would not be a value. */
const LONGEST = 65_536;

/** Variables with the values that lie in files. */
export interface WithFiles {
  readonly environment: Environment;
  /** Returns the variable that somebody has set for a setting: that of its file, if its value lies in one. */
  writtenAs(variable: string): string;
}

/**
 * Puts the contents of files in the place of the variables that name them: `STAYD_SECRET_KEY_FILE` names the file that
 * holds the value of `STAYD_SECRET_KEY`, as containers and systemd hand out secrets. The line end of the file is no part
 * of the value.
 * @param isSetting tells whether a variable sets something
 * @throws UsageError with the variable whose file cannot be read or is empty, and for a setting that is given twice
 */
export function withFiles(given: Environment, isSetting: (variable: string) => boolean): WithFiles {
  const environment: Record<string, string | undefined> = { ...given };
  const inFiles = new Set<string>();
  for (const [name, file] of Object.entries(given)) {
    const variable = name.slice(0, -SUFFIX.length);
    if (!file || !NAME.test(name) || isSetting(name) || !isSetting(variable)) continue;
    if (given[variable]) {
      throw new UsageError(`environment: ${variable} and ${name} are both set`, 'leave one of the two out');
    }
    environment[variable] = contentOf(file, name);
    environment[name] = undefined;
    inFiles.add(variable);
  }
  return { environment, writtenAs: (variable) => (inFiles.has(variable) ? `${variable}${SUFFIX}` : variable) };
}

function contentOf(file: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(
      `environment variable ${name}: cannot read ${file}: ${messageOf(error)}`,
      'it names a file that holds the value, which the user of stayd may read',
      error,
    );
  }
  if (text.trim() === '') throw new UsageError(`environment variable ${name}: ${file} is empty`);
  if (text.length > LONGEST) throw new UsageError(`environment variable ${name}: ${file} is too long for a value`);
  return text;
}
