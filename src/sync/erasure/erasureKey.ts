import type { Random } from '../../kernel/random.ts';
import { fingerprinter, type Reseal, type Sealer } from '../../kernel/seal.ts';
import { insertMany } from '../../store/insertMany.ts';
import type { MirrorDb, MirrorStore } from '../database.ts';
import type { ErasureLog } from './erase.ts';
import type { Fingerprint } from './subjects.ts';

const KEY_BYTES = 32;
/** Where the sealed key belongs. */
export const ERASURE_KEY_CONTEXT = 'erasure-key';
/** The key stands for all connections. */
const ALL = '*';

/**
 * The hash by which erased persons are known again. Its key is made once and never changes, since hashes cannot be made
 * anew; it is stored sealed, in the database and beside it.
 */
export async function erasureFingerprint(
  store: MirrorStore,
  { sealer, random, log }: { sealer: Sealer; random: Random; log: Pick<ErasureLog, 'key' | 'keepKey'> },
): Promise<Fingerprint> {
  const beside = log.key();
  const inside = await sealedKey(store.db);
  // A database with erasures knows its key; another one may be older than the record beside it.
  const known = inside !== undefined && (beside === undefined || (await hasAny(store.db))) ? inside : beside;
  const sealed = known ?? sealer.seal(random.bytes(KEY_BYTES).toString('base64url'), ERASURE_KEY_CONTEXT);
  if (sealed !== inside) await keepKey(store, sealed);
  // Another process may have made one at the same time.
  const kept = (await sealedKey(store.db)) ?? sealed;
  if (kept !== beside) log.keepKey(kept);
  return fingerprinter(sealer.open(kept, ERASURE_KEY_CONTEXT));
}

/** Seals the key anew, for a new secret key. */
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
