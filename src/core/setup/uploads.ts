import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip, gzip } from 'node:zlib';
import { turn } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Core } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

/** Bytes of the packed file in one row; a multiple of three, so that base64 joins without padding. */
const PIECE_BYTES = 393_216;

interface UploadKey {
  readonly accountId: AccountId;
  readonly upload: string;
}

/** Stores a file that somebody gave. @returns its id */
export async function keepUpload(
  { store: { db }, ids, clock }: Pick<Core, 'store' | 'ids' | 'clock'>,
  accountId: AccountId,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<string> {
  const packed = await promisify(gzip)(bytes);
  const upload = ids();
  const row = { account_id: accountId, upload, name, pieces: null, created_at: instantOf(clock.now()) };
  await db.insertInto('uploads').values(row).execute();
  let pieces = 0;
  for (let start = 0; start < packed.length; start += PIECE_BYTES) {
    const content = packed.toString('base64', start, start + PIECE_BYTES);
    await db.insertInto('upload_pieces').values({ account_id: accountId, upload, number: pieces, content }).execute();
    pieces += 1;
    await turn();
  }
  await db
    .updateTable('uploads')
    .set({ pieces })
    .where('account_id', '=', accountId)
    .where('upload', '=', upload)
    .execute();
  return upload;
}

/** Returns the name of a stored file; undefined if it is gone, or was never stored whole. */
export async function uploadName(db: CoreDb, key: UploadKey): Promise<string | undefined> {
  return (await find(db, key))?.name;
}

/** Writes a stored file to a path, for its owner's eyes alone. @returns false if it is gone */
export async function writeUpload(db: CoreDb, key: UploadKey, path: string): Promise<boolean> {
  const found = await find(db, key);
  if (!found) return false;
  const packed = Readable.from(piecesOf(db, key, found.pieces));
  await pipeline(packed, createGunzip(), createWriteStream(path, { mode: 0o600 }));
  return true;
}

/** Returns a stored file; undefined if it is gone. */
export async function readUpload(db: CoreDb, key: UploadKey): Promise<{ name: string; bytes: Buffer } | undefined> {
  const found = await find(db, key);
  if (!found) return undefined;
  const packed: Buffer[] = [];
  for await (const piece of piecesOf(db, key, found.pieces)) packed.push(piece);
  return { name: found.name, bytes: await promisify(gunzip)(Buffer.concat(packed)) };
}

async function* piecesOf(db: CoreDb, key: UploadKey, count: number): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number += 1) {
    const { content } = await db
      .selectFrom('upload_pieces')
      .where('account_id', '=', key.accountId)
      .where('upload', '=', key.upload)
      .where('number', '=', number)
      .select('content')
      .executeTakeFirstOrThrow();
    yield Buffer.from(content, 'base64');
  }
}

export async function deleteUpload(db: CoreDb | CoreTransaction, { accountId, upload }: UploadKey): Promise<void> {
  for (const table of ['upload_pieces', 'uploads'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).where('upload', '=', upload).execute();
  }
}

/** Deletes the files of all accounts that were given before. */
export async function deleteUploadsBefore(db: CoreDb, before: Instant): Promise<void> {
  const old = await db
    .selectFrom('uploads')
    .where('created_at', '<', before)
    .select(['account_id as accountId', 'upload'])
    .execute();
  for (const key of old) await deleteUpload(db, key);
}

/** Deletes all files of an account. @returns how many there were */
export async function deleteUploads(trx: CoreTransaction, accountId: AccountId): Promise<number> {
  await trx.deleteFrom('upload_pieces').where('account_id', '=', accountId).execute();
  const { numDeletedRows } = await trx.deleteFrom('uploads').where('account_id', '=', accountId).executeTakeFirst();
  return Number(numDeletedRows);
}

async function find(
  db: CoreDb,
  { accountId, upload }: UploadKey,
): Promise<{ name: string; pieces: number } | undefined> {
  const row = await db
    .selectFrom('uploads')
    .where('account_id', '=', accountId)
    .where('upload', '=', upload)
    .select(['name', 'pieces'])
    .executeTakeFirst();
  return row && row.pieces !== null ? { name: row.name, pieces: row.pieces } : undefined;
}
