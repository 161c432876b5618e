import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';
import { makePrivateFile } from '../../store/sealing/privateFile.ts';
import type { ErasureLog, HashKey } from '../../sync/privacy/erasure/erase.ts';
import type { Erasure } from '../../sync/privacy/erasure/erasureTable.ts';
import { readPrivate } from './privateFiles.ts';

export const ERASURES_FILE = 'erasures.log';

const keyLine = z.object({ key: z.string(), check: z.string().optional() });
const erasureLine = z.object({
  connection: z.string(),
  subject: z.string(),
  erasure_id: z.string(),
  erased_at: z.string(),
});
const line = z.union([erasureLine, keyLine]);

/** The contents of the file: the key of its hashes, then one JSON line for each erased subject, without names. */
export interface ErasureRecord {
  key: HashKey | undefined;
  erasures: Erasure[];
}

/**
 * Opens the record of erasures beside the database. A restored backup is older than the record, so the later erasures
 * run again.
 */
export function erasureLog(dir: string): ErasureLog {
  const record = (): ErasureRecord => readErasures(dir) ?? { key: undefined, erasures: [] };
  return {
    key: () => record().key,
    keepKey: (key) => writeErasures(dir, { ...record(), key }),
    read: () => record().erasures,
    append: (erasures) => appendErasures(dir, erasures),
  };
}

/** Reads the record of a data directory; undefined if there is none. */
export function readErasures(dir: string): ErasureRecord | undefined {
  const text = readPrivate(dir, ERASURES_FILE);
  return text === undefined ? undefined : parseErasures(text, join(dir, ERASURES_FILE));
}

/** Parses a record; throws OperatorError if the text is none. A truncated last line is dropped: it never counted. */
export function parseErasures(text: string, where: string): ErasureRecord {
  const record: ErasureRecord = { key: undefined, erasures: [] };
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const [index, one] of complete.split('\n').entries()) {
    if (one.trim() === '') continue;
    const read = line.safeParse(jsonOf(one));
    if (!read.success) {
      throw new OperatorError(
        `line ${index + 1} of ${where} is no line of a record of erasures`,
        'take the erasures.log of another data directory or backup of the same installation',
      );
    }
    if ('key' in read.data) record.key ??= { sealed: read.data.key, check: read.data.check };
    else record.erasures.push(read.data as Erasure);
  }
  return record;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function erasuresText({ key, erasures }: ErasureRecord): string {
  const first = key === undefined ? [] : [{ key: key.sealed, check: key.check }];
  return linesOf([...first, ...erasures]);
}

/** Replaces a record; the new one is on the disk before this returns. */
export function writeErasures(dir: string, record: ErasureRecord): void {
  const path = join(dir, ERASURES_FILE);
  const fresh = `${path}.new`;
  makePrivateFile(fresh);
  writeDurably(fresh, 'w', erasuresText(record));
  renameSync(fresh, path);
}

function appendErasures(dir: string, erasures: readonly Erasure[]): void {
  const path = join(dir, ERASURES_FILE);
  makePrivateFile(path);
  // Removes a line that a crash has truncated, since it would spoil the next one.
  const bytes = readFileSync(path);
  truncateSync(path, bytes.lastIndexOf('\n') + 1);
  writeDurably(path, 'a', linesOf(erasures));
}

function linesOf(lines: readonly object[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

function writeDurably(path: string, flag: 'a' | 'w', text: string): void {
  const file = openSync(path, flag);
  try {
    appendFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Merges records of the same installation. Throws OperatorError if their hashes were made with different keys, because
 * the hashes of one of them would never match again.
 */
export function mergedErasures(records: readonly ErasureRecord[]): ErasureRecord {
  const keys = records.flatMap(({ key, erasures }) => (key === undefined || erasures.length === 0 ? [] : [key]));
  const checks = new Set(keys.flatMap(({ check }) => check ?? []));
  if (checks.size > 1) {
    throw new OperatorError(
      'these records of erasures are of different installations',
      'take those of the installation that the backup was made of',
    );
  }
  const erasures = new Map<string, Erasure>();
  for (const one of records.flatMap((record) => record.erasures)) {
    const name = JSON.stringify([one.connection, one.subject]);
    if (!erasures.has(name)) erasures.set(name, one);
  }
  const key = keys[0] ?? records.find((record) => record.key !== undefined)?.key;
  return { key, erasures: [...erasures.values()] };
}
