import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, UsageError } from '../kernel/errors.ts';
import { yamlFaultText, yamlOf } from '../kernel/yamlValue.ts';
import { packageRoot } from '../kernel/program/packageRoot.ts';

/** The name of the user's own file in the data directory. */
const IN_DATA_DIR = 'stayd.yaml';

export interface Environment {
  readonly [name: string]: string | undefined;
}

/** Returns the file of the defaults, the lowest layer. */
export function defaultsFile(): string {
  return join(packageRoot(), 'config', 'default.yaml');
}

/** The settings file of the user. */
export interface OwnFile {
  readonly file: string;
  /** True for the file of the data directory, which may not exist. */
  readonly inDataDir: boolean;
}

/** Returns the file named by STAYD_CONFIG, else stayd.yaml in the data directory. */
export function ownFile(environment: Environment): OwnFile {
  const named = environment['STAYD_CONFIG'];
  if (named) return { file: resolve(named), inDataDir: false };
  const { data_dir: usual } = z.looseObject({ data_dir: z.string() }).parse(readLayer(defaultsFile()).values);
  return { file: resolve(environment['STAYD_DATA_DIR'] || usual, IN_DATA_DIR), inDataDir: true };
}

/** Settings from one source. */
export interface Layer {
  values: unknown;
  /** Returns the place of a key of this layer. */
  origin: (path: readonly string[]) => string;
}

/** @throws UsageError with the line if the file is unreadable */
export function readLayer(file: string): Layer {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${messageOf(cause)}`, 'check STAYD_CONFIG', cause);
  }
  return { values: readYaml(text, file) ?? {}, origin: () => file };
}

/** @param from the source of the text, for the message */
export function readYaml(text: string, from: string): unknown {
  const { value, faults } = yamlOf(text);
  const [fault] = faults ?? [];
  if (fault) throw new UsageError(`${from}: ${yamlFaultText(fault)}`);
  return value;
}

/** Merges the upper settings over the lower ones, section by section. */
export function overlay(below: unknown, above: unknown): unknown {
  if (!isSection(below) || !isSection(above)) return above === undefined ? below : above;
  const merged: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) merged[name] = overlay(merged[name], value);
  return merged;
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isSection(value) ? value[name] : undefined), values);
}

export function setAt(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    values[name] = value;
    return;
  }
  const section = isSection(values[name]) ? values[name] : (values[name] = {});
  setAt(section as Record<string, unknown>, rest, value);
}
