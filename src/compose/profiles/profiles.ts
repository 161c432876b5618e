import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../kernel/program/packageRoot.ts';
import { hintOfName, issueText } from '../../config/problems.ts';
import { type Profile, profileSchema } from '../../contract/dialect/profile.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import { lineOf, yamlFaultText, yamlOf, yamlValue } from '../../kernel/yamlValue.ts';

const ENDING = '.yaml';

/** The path and the owner of a profile. */
interface ProfileFile {
  name: string;
  file: string;
  shipped: boolean;
}

type Places = Pick<Config, 'profiles'>;

/** Returns every profile by its name: the shipped ones and those of the user's folder, which take precedence. */
export function profileFiles({ profiles: folder }: Places): ProfileFile[] {
  const own = filesIn(resolve(folder), false);
  const shipped = filesIn(join(packageRoot(), 'config', 'profiles'), true);
  return [...own, ...shipped.filter(({ name }) => !own.some((one) => one.name === name))];
}

/**
 * Loads a profile by its name, or by a path that ends in .yaml.
 * @throws UsageError with the file, the line and the mistake
 */
export function loadProfile(config: Places, name: string): Profile {
  return readProfile(fileOf(config, name));
}

/** Returns the contents of a profile's file without defaults. @throws UsageError as {@link loadProfile} */
export function sourceOf(config: Places, name: string): Record<string, unknown> {
  const file = fileOf(config, name);
  readProfile(file);
  return (yamlOf(readFileSync(file, 'utf8')).value ?? {}) as Record<string, unknown>;
}

function fileOf(config: Places, name: string): string {
  if (name.endsWith(ENDING)) return resolve(name);
  const files = profileFiles(config);
  const found = files.find((one) => one.name === name);
  if (found) return found.file;
  throw new UsageError(
    `there is no profile "${name}"`,
    `${hintOfName(
      name,
      files.map((one) => one.name),
      'there are',
    )}; profiles are the .yaml files of ${resolve(config.profiles)}, or any other by its path`,
  );
}

/** @throws UsageError as {@link loadProfile} */
export function readProfile(file: string): Profile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read the profile ${file}: ${messageOf(cause)}`, undefined, cause);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const { value, faults } = yamlValue(document, lineCounter);
  const [fault] = faults ?? [];
  if (fault) throw new UsageError(`${file}, ${yamlFaultText(fault)}`);
  const result = profileSchema.safeParse(value ?? {});
  if (result.success) return result.data;
  const { path, problem, hint } = mistakeIn(result.error);
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  throw new UsageError(`${file}, line ${lineOf(document, lineCounter, path)}: ${where}${problem}`, hint);
}

interface Mistake {
  path: PropertyKey[];
  problem: string;
  hint?: string;
}

/** Picks the unknown key first: a misspelt key is often also a missing one, and the spelling says more. */
function mistakeIn(error: z.ZodError): Mistake {
  const unknown = error.issues.find((one) => one.code === 'unrecognized_keys');
  const issue = unknown ?? error.issues[0];
  if (!issue) return { path: [], problem: 'is wrong' };
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const known = keysAt(issue.path);
    const path = [...issue.path, key];
    return { path, problem: 'is no known key', ...(known.length > 0 && { hint: hintOfName(key, known, 'there are') }) };
  }
  if (issue.code === 'invalid_key') return { path: issue.path, problem: issue.issues[0]?.message ?? issue.message };
  const hint: unknown = issue.code === 'custom' ? issue.params?.['hint'] : undefined;
  return { path: issue.path, problem: issueText(issue), ...(typeof hint === 'string' && { hint }) };
}

/** Returns the keys that a section of a profile may have; empty if any key is allowed. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: z.ZodType | undefined = profileSchema;
  for (const step of path) {
    const section = bare(schema);
    if (section instanceof z.ZodObject) schema = (section.shape as Record<string, z.ZodType>)[String(step)];
    else schema = section instanceof z.ZodRecord ? (section.valueType as z.ZodType) : undefined;
  }
  const section = bare(schema);
  if (section instanceof z.ZodObject) return Object.keys(section.shape);
  return section instanceof z.ZodRecord && section.keyType instanceof z.ZodEnum
    ? section.keyType.options.map(String)
    : [];
}

function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
}

function filesIn(folder: string, shipped: boolean): ProfileFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .map((name) => ({ name: basename(name, ENDING), file: join(folder, name), shipped }));
}
