import { OperatorError } from '../../../kernel/errors.ts';
import type { Random } from '../../../kernel/random.ts';
import { fingerprinter, type Reseal, type Sealer } from '../../../kernel/seal.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import type { MirrorDb, MirrorStore } from '../../tables/database.ts';
import type { ErasureLog, HashKey } from './erase.ts';
import type { Fingerprint } from './subjects.ts';

const KEY_BYTES = 32;
/** The context for sealing the key. */
export const ERASURE_KEY_CONTEXT = 'erasure-key';
/** The text whose hash is the check of a key. */
const CHECKED = 'erasures';
/** The value that makes the key that of all connections. */
const ALL = '*';

/**
 * Returns the hash that recognizes erased persons. Its key is made once and never changes, since the hashes cannot be
 * made again. The key is stored sealed, in the database and in the record beside it.
 * @throws OperatorError if database and record hold erasures under different keys
 */
export async function erasureFingerprint(
  store: MirrorStore,
  { sealer, random, log }: { sealer: Sealer; random: Random; log: Pick<ErasureLog, 'key' | 'keepKey' | 'read'> },
): Promise<Fingerprint> {
  const beside = log.key();
  const inside = await sealedKey(store.db);
  const open = (sealed: string) => sealer.open(sealed, ERASURE_KEY_CONTEXT);
  const isSame = inside === undefined || beside === undefined || isKey(beside, inside, open);
  const fromLog = inside === undefined || (!isSame && log.read().length > 0);
  if (beside !== undefined && fromLog) {
    // A database with erasures knows its key; one without may have been made while the record was away.
    if (inside !== undefined && (await hasAny(store.db))) throw foreignRecord();
    open(beside.sealed);
    await keepKey(store, beside.sealed);
  } else if (inside === undefined) {
    const key = random.bytes(KEY_BYTES).toString('base64url');
    await offerKey(store, sealer.seal(key, ERASURE_KEY_CONTEXT));
  }
  const kept = (await sealedKey(store.db)) ?? '';
  const fingerprint = fingerprinter(open(kept));
  const check = fingerprint(CHECKED);
  if (kept !== beside?.sealed || check !== beside.check) log.keepKey({ sealed: kept, check });
  return fingerprint;
}

/** Returns true if both keys are the same; that of the record may be sealed with an inactive secret key. */
function isKey(beside: HashKey, inside: string, open: (sealed: string) => string): boolean {
  if (beside.sealed === inside) return true;
  const key = open(inside);
  return beside.check === undefined ? open(beside.sealed) === key : beside.check === fingerprinter(key)(CHECKED);
}

function foreignRecord(): OperatorError {
  return new OperatorError(
    'erasures.log in the data directory is of another installation than the mirror: nobody in it would be found',
    'put the erasures.log of this installation in its place, or move it away',
  );
}

/** Seals the key with a new secret key. */
export async function resealErasureKey(store: MirrorStore, reseal: Reseal): Promise<void> {
  const sealed = await sealedKey(store.db);
  if (sealed !== undefined) await keepKey(store, reseal(sealed, ERASURE_KEY_CONTEXT));
}

async function sealedKey(db: MirrorDb): Promise<string | undefined> {
  const row = await db.selectFrom('erasure_keys').select('sealed').where('connection', '=', ALL).executeTakeFirst();
  return row?.sealed;
}

async function hasAny(db: MirrorDb): Promise<boolean> {
  return (await db.selectFrom('erasures').select('subject').limit(1).execute()).length > 0;
}

function keepKey(store: MirrorStore, sealed: string): Promise<number> {
  const row = { connection: ALL, sealed };
  return store.transaction((trx) =>
    insertMany(trx, 'erasure_keys', [row], { columns: ['connection'], update: ['sealed'] }),
  );
}

/** Stores a key unless there is one. Another process may make one at the same time: the first one counts. */
function offerKey(store: MirrorStore, sealed: string): Promise<number> {
  const row = { connection: ALL, sealed };
  return store.transaction((trx) => insertMany(trx, 'erasure_keys', [row], { columns: ['connection'] }));
}
