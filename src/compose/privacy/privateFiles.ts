import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../kernel/errors.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';
import { keyIdOf, sealer, type Sealer } from '../../kernel/seal.ts';
import { makePrivateFile } from '../../store/sealing/privateFile.ts';

const KEY_FILE = 'secret.key';
/** The key that takes the place of the other one, while secrets are being sealed with it. */
const NEXT_KEY_FILE = 'secret.key.new';
const CONTROL_FILE = 'control.json';
const LOCAL_TOKEN_FILE = 'local.token';
const INSTANCE_FILE = 'instance.id';
const KEY_BYTES = 32;

/** How commands on this machine reach the running service. New at each start; gone after a clean stop. */
export interface Control {
  url: string;
  secret: string;
  pid: number;
  /** Whether a core runs there, with accounts and tokens. */
  core: boolean;
}

/** The key that stored secrets are encrypted with: configured, or kept in the data directory from the first start on. */
export function secretKey(dir: string, configured: string | null, random: Random): Buffer {
  if (configured !== null) return readKey(configured, 'secret_key');
  return keyIn(join(dir, KEY_FILE), random);
}

/** The key in a file; where there is no file, a new one is made and is on the disk before it is used. */
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

/** Whether secrets were being sealed with another key when that was cut off. */
export function hasNextKey(dir: string): boolean {
  return existsSync(nextKeyFile(dir));
}

/** From now on the next key is the key; the one before is gone. */
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

/** Which key secrets are sealed with here, by its id; undefined when there is none yet. Makes nothing. */
export function knownKeyId(dir: string, configured: string | null): string | undefined {
  const text = configured ?? readPrivate(dir, KEY_FILE);
  return text === undefined
    ? undefined
    : keyIdOf(readKey(text, configured === null ? join(dir, KEY_FILE) : 'secret_key'));
}

/** What opens stored secrets here; undefined when there is no key yet. Makes nothing. */
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

/** By what name this installation knows what it has registered elsewhere; outlives a mirror that is lost. */
export function instanceId(dir: string, ids: IdMaker): string {
  const known = knownInstanceId(dir);
  if (known !== undefined) return known;
  const made = ids();
  writePrivate(dir, INSTANCE_FILE, `${made}\n`);
  return made;
}

/** The same where it has been made already. */
export function knownInstanceId(dir: string): string | undefined {
  return readPrivate(dir, INSTANCE_FILE)?.trim() || undefined;
}

/** What a service leaves behind, whichever half it runs and wherever its databases are; a restore leaves the databases. */
const TRACES = [INSTANCE_FILE, LOCAL_TOKEN_FILE, 'core.db', 'mirror.db'];

/** Whether there is anything in this directory that a command could be about. */
export function hasServed(dir: string): boolean {
  return TRACES.some((name) => existsSync(join(dir, name)));
}

/** Whether a service has run on this directory before. */
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
    // Cut off by a crash while it was written: the same as none.
    return undefined;
  }
}

export function removeControl(dir: string): void {
  rmSync(join(dir, CONTROL_FILE), { force: true });
}

/** The sealed token by which the daemon reads the core beside it. */
export function readLocalToken(dir: string): string | undefined {
  return readPrivate(dir, LOCAL_TOKEN_FILE)?.trim();
}

export function writeLocalToken(dir: string, sealed: string): void {
  writePrivate(dir, LOCAL_TOKEN_FILE, `${sealed}\n`);
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
