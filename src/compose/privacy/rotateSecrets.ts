import { coreMigrations } from '../../../migrations/core/index.ts';
import { migrateMirror } from '../analytics/migrateMirror.ts';
import type { Config } from '../../config.ts';
import { resealBookings } from '../../channels/direct/bookings/secrets.ts';
import { resealPayments } from '../../channels/direct/payments/settings.ts';
import { resealFeeds } from '../../channels/feeds/secrets.ts';
import { resealGuestPages } from '../../core/guestPages/link.ts';
import { resealRegistrations } from '../../core/guestPages/registration/secrets.ts';
import { resealMailboxes } from '../../channels/mail/secrets.ts';
import { resealCore, sealCore } from '../../core/reseal.ts';
import { requireResealable } from '../../core/webhooks/register.ts';
import { UsageError } from '../../kernel/errors.ts';
import { silentLogger } from '../../kernel/log.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';
import { resealing, sealer } from '../../kernel/seal.ts';
import { lockDataDir } from '../../store/lock.ts';
import { migrate } from '../../store/migrate.ts';
import { resealEndpoints } from '../../endpoints/reseal.ts';
import { sealedPlaces } from '../mirror/sealedPlaces.ts';
import { requireSecrets, resealConnections } from '../../sync/connection/webhook/registerWebhook.ts';
import { resealMirror, sealMirror } from '../../sync/privacy/sealMirror.ts';
import { resealTokens } from '../../sync/connection/tokens/heldTokens.ts';
import { ERASURE_KEY_CONTEXT, resealErasureKey } from '../../sync/privacy/erasure/erasureKey.ts';
import { takeTokenFiles } from '../core/localAccounts.ts';
import { erasureLog } from './erasureLog.ts';
import { forgetClear } from './forgetClear.ts';
import { requireDataDir } from '../stores/requireDataDir.ts';
import { hasNextKey, keyIn, nextKeyFile, secretKey, takeNextKey } from './privateFiles.ts';
import { openStores, type Stores } from '../stores/stores.ts';

/** The number of secrets sealed with the new key. */
interface Rotation {
  /** The first digits of the new key's hash, which every sealed text begins with. */
  keyId: string;
  webhooks: number;
  shareLinks: number;
  lockCodes: number;
  daemonTokens: number;
  secondFactors: number;
  connections: number;
  endpoints: number;
}

/**
 * Creates a new secret key and seals every stored secret with it. After an interruption at any point the next start or
 * the same command continues, because both keys exist until all is done.
 * @param keyFile the file of the new key if the present key is configured; otherwise the data directory holds it
 * @throws UsageError if `keyFile` is missing for a configured key, or given without one
 */
export async function rotateSecrets(config: Config, keyFile?: string): Promise<Rotation> {
  requireDataDir(config);
  if (config.secret_key !== null && keyFile === undefined) {
    throw new UsageError(
      'the key is configured, so the data directory is not where the new one belongs',
      'give --key-file FILE; the new key is made there, or taken from there, and you configure it afterwards',
    );
  }
  if (config.secret_key === null && keyFile !== undefined) {
    throw new UsageError('--key-file is for a key that is configured (STAYD_SECRET_KEY)', 'leave it out');
  }
  const lock = lockDataDir(config.data_dir);
  try {
    const stores = await openStores(config);
    try {
      return await rotate(config, { stores, keyFile: keyFile ?? nextKeyFile(config.data_dir), random: systemRandom });
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}

/** Continues an interrupted rotation, if there is one. */
export async function finishRotation(config: Config, stores: Stores, random: Random): Promise<void> {
  if (config.secret_key !== null || !hasNextKey(config.data_dir)) return;
  await rotate(config, { stores, keyFile: nextKeyFile(config.data_dir), random });
}

async function rotate(
  config: Config,
  { stores, keyFile, random }: { stores: Stores; keyFile: string; random: Random },
): Promise<Rotation> {
  const { data_dir, secret_key } = config;
  await migrate(stores.core, coreMigrations);
  await migrateMirror(stores.mirror);
  const present = sealer(secretKey(data_dir, secret_key, random), random);
  const next = sealer(keyIn(keyFile, random), random);
  const reseal = resealing(present, next);
  await requireResealable(stores.core, reseal);
  await takeTokenFiles({ store: stores.core, sealer: present }, data_dir);
  // A value still in clear would look damaged, so these are sealed first.
  await sealCore(stores.core, present, (tables) =>
    forgetClear({ store: stores.core, config, half: 'core', tables, log: silentLogger }),
  );
  const ofPeople = [resealGuestPages, resealRegistrations, resealMailboxes];
  const inCore = await resealCore(stores.core, reseal, [resealFeeds, resealBookings, resealPayments, ...ofPeople]);
  await sealMirror(stores.mirror, present, {
    more: sealedPlaces,
    forgetBytes: (tables) => forgetClear({ store: stores.mirror, config, half: 'mirror', tables, log: silentLogger }),
    requireKey: () => requireSecrets(stores.mirror, present),
  });
  await resealMirror(stores.mirror, reseal, sealedPlaces);
  const connections = await resealConnections(stores.mirror, reseal);
  const endpoints = await resealEndpoints(stores.mirror, reseal);
  await resealTokens(stores.mirror, reseal);
  await resealErasureKey(stores.mirror, reseal);
  const erasures = erasureLog(data_dir);
  const erasureKey = erasures.key();
  if (erasureKey !== undefined) {
    erasures.keepKey({ ...erasureKey, sealed: reseal(erasureKey.sealed, ERASURE_KEY_CONTEXT) });
  }
  if (secret_key === null) takeNextKey(data_dir);
  return { keyId: next.keyId, ...inCore, connections, endpoints };
}
