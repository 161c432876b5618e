import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../kernel/errors.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';
import { keyIdOf, sealer, type Sealer } from '../../kernel/seal.ts';
import { makePrivateFile } from '../../store/sealing/privateFile.ts';

const KEY_FILE = 'secret.key';
/** The new key, while secrets are being sealed with it. */
const NEXT_KEY_FILE = 'secret.key.new';
const CONTROL_FILE = 'control.json';
const LOCAL_TOKEN_FILE = 'local.token';
const ACCOUNT_TOKENS_FILE = 'accounts.tokens';
const INSTANCE_FILE = 'instance.id';
const KEY_BYTES = 32;

/**
 * The address and secret by which commands on this machine reach the running service. New at each start; deleted by a
 * clean stop.
 */
export interface Control {
  url: string;
  secret: string;
  pid: number;
  /** True if a core with accounts and tokens runs there. */
  core: boolean;
}

/**
 * Returns the key that encrypts stored secrets: the configured one, or the one in the data directory since the first
 * start.
 */
export function secretKey(dir: string, configured: string | null, random: Random): Buffer {
  if (configured !== null) return readKey(configured, 'secret_key');
  return keyIn(join(dir, KEY_FILE), random);
}

/** Reads the key in a file, or creates one and writes it to the disk before its first use. */
export function keyIn(path: string, random: Random): Buffer {
  const known = readPath(path);
  if (known !== undefined && known !== '') return readKey(known, path);
  const key = random.bytes(KEY_BYTES);
  writePath(path, `${key.toString('hex')}\n`);
  for (const written of [path, dirname(path)]) flush(written);
  return key;
}

export function nextKeyFile(dir: string): string {
  return join(dir, NEXT_KEY_FILE);
}

/** Returns true if a rotation to another key was interrupted. */
export function hasNextKey(dir: string): boolean {
  return existsSync(nextKeyFile(dir));
}

/** Replaces the key by the next one; the former is gone. */
export function takeNextKey(dir: string): void {
  renameSync(nextKeyFile(dir), join(dir, KEY_FILE));
  flush(dir);
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the id of the key that seals secrets here; undefined if there is none yet. Creates nothing. */
export function knownKeyId(dir: string, configured: string | null): string | undefined {
  const text = configured ?? readPrivate(dir, KEY_FILE);
  return text === undefined
    ? undefined
    : keyIdOf(readKey(text, configured === null ? join(dir, KEY_FILE) : 'secret_key'));
}

/** Returns the sealer that opens stored secrets here; undefined if there is no key yet. Creates nothing. */
export function knownSealer(dir: string, configured: string | null): Sealer | undefined {
  const text = configured ?? readPrivate(dir, KEY_FILE);
  return text === undefined ? undefined : sealer(readKey(text, join(dir, KEY_FILE)), systemRandom);
}

function readKey(text: string, where: string): Buffer {
  const tidy = text.trim();
  const key = Buffer.from(tidy, /^[0-9a-f]{64}$/i.test(tidy) ? 'hex' : 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new OperatorError(`${where} does not hold a key`, `it must be ${KEY_BYTES} bytes, in hex or base64`);
}

/**
 * Returns the id by which this installation recognises its registrations elsewhere; it survives the loss of a mirror.
 */
export function instanceId(dir: string, ids: IdMaker): string {
  const known = knownInstanceId(dir);
  if (known !== undefined) return known;
  const made = ids();
  writePrivate(dir, INSTANCE_FILE, `${made}\n`);
  return made;
}

/** Returns the instance id if it exists already. */
export function knownInstanceId(dir: string): string | undefined {
  return readPrivate(dir, INSTANCE_FILE)?.trim() || undefined;
}

/**
 * Files that any service leaves behind, whichever half it runs and wherever its databases are; a restore leaves the
 * databases.
 */
const TRACES = [INSTANCE_FILE, LOCAL_TOKEN_FILE, 'core.db', 'mirror.db'];

/** Returns true if this directory contains anything that a command could be about. */
export function hasServed(dir: string): boolean {
  return TRACES.some((name) => existsSync(join(dir, name)));
}

/** Returns true if a service has run on this directory before. */
export function hasInstanceId(dir: string): boolean {
  return readPrivate(dir, INSTANCE_FILE) !== undefined;
}

export function writeControl(dir: string, control: Control): void {
  writePrivate(dir, CONTROL_FILE, `${JSON.stringify(control)}\n`);
}

export function readControl(dir: string): Control | undefined {
  const text = readPrivate(dir, CONTROL_FILE);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Control;
  } catch {
    // A crash truncated the file while it was written: the same as no file.
    return undefined;
  }
}

export function removeControl(dir: string): void {
  rmSync(join(dir, CONTROL_FILE), { force: true });
}

/** Returns the sealed token by which the daemon of an earlier version read the first account of the core beside it. */
export function readLocalToken(dir: string): string | undefined {
  return readPrivate(dir, LOCAL_TOKEN_FILE)?.trim();
}

/** Returns the sealed tokens by which the daemon of an earlier version read the other accounts. */
export function readAccountTokens(dir: string): string | undefined {
  return readPrivate(dir, ACCOUNT_TOKENS_FILE)?.trim();
}

/** Removes the files of both. */
export function removeTokenFiles(dir: string): void {
  for (const name of [LOCAL_TOKEN_FILE, ACCOUNT_TOKENS_FILE]) rmSync(join(dir, name), { force: true });
}

export function readPrivate(dir: string, name: string): string | undefined {
  return readPath(join(dir, name));
}

function readPath(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writePrivate(dir: string, name: string, text: string): void {
  writePath(join(dir, name), text);
}

function writePath(path: string, text: string): void {
  makePrivateFile(path);
  writeFileSync(path, text);
}
