import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreMigrations } from '../../migrations/core/index.ts';
import type { Service } from '../../src/api/http/pipeline.ts';
import { serveMetrics } from '../../src/api/metrics.ts';
import { newServer } from '../../src/api/http/server.ts';
import { serveV3 } from '../../src/api/v3.ts';
import { changeAuthStatus, connectChannelAccount } from '../../src/core/channels/accounts.ts';
import { sandboxChannels } from '../../src/sandbox/channel/adapters.ts';
import { listOnMarketplace } from '../../src/sandbox/channel/steer.ts';
import { createAccount, createToken } from '../../src/core/accounts/create.ts';
import { runChange } from '../../src/core/change.ts';
import type { Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import { oauthOf } from '../../test/support/core.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { limitPolicy } from '../../src/core/limits/policy.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDays, instantOf, type PlainDate } from '../../src/kernel/dates.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import { fillPortfolio, type Portfolio } from './portfolio.ts';
import { PasswordHasher } from '../../src/core/people/passwordHash.ts';

/** A core with a full portfolio at its own port, without the daemon. */
export interface BenchCore {
  url: string;
  token: string;
  portfolio: Portfolio;
  /** The database, for a look at it from beside. */
  file: string;
  today: PlainDate;
  /** What serves it, for calls that leave HTTP out. */
  service: Service;
  /** The body of an answer that must be a success; with a body the request is a POST. */
  ask(path: string, body?: object): Promise<string>;
  close(): Promise<void>;
}

export interface Size {
  properties: number;
  reservations: number;
  /** Properties that are listed on a marketplace as well, with the listing ids L1, L2 and so on. */
  listings?: number;
}

export const CHANNEL = 'marketplace_a';
/** Limits are decided and counted as ever, but no bench can reach them. */
const LIMITS = { multiply: 1_000_000 };
const LEDGER_BACK_DAYS = 362;

/** Limits, metrics and all hooks of the service are at work. */
export async function startBenchCore({ properties, reservations, listings = 0 }: Size): Promise<BenchCore> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-bench-'));
  const file = join(folder, 'core.db');
  const empty = await openCore(file);
  await migrate(empty.store, coreMigrations);
  const draft = { name: 'bench', time_zone: 'Europe/Berlin', currency: 'EUR', property_quota: 10_000 };
  const account = await createAccount(empty, draft);
  const { token } = await createToken(empty, account, { name: 'bench', scope: 'read' });
  await empty.store.close();
  const today = instantOf(systemClock.now()).slice(0, 10);
  const from = addDays(today, -LEDGER_BACK_DAYS);
  const portfolio = { accountId: account.account_id, from, properties, reservations };
  fillPortfolio(file, portfolio);
  const core = await openCore(file);
  const { store } = core;
  await runChange(core, { account, operator: null }, async (change) => {
    if (listings === 0) return;
    const host = { channel_type: CHANNEL, username: 'host', origin_account_id: 'host' };
    const channel_account_id = await connectChannelAccount(change, host);
    await changeAuthStatus(change, channel_account_id, 'authorize');
    for (let property_id = 1; property_id <= listings; property_id += 1) {
      const listing_id = `L${property_id}`;
      await listOnMarketplace(change, {
        channel_account_id,
        property_id,
        listing_id,
        title: listing_id,
        base_price: 90,
      });
    }
  });
  const counters = new RequestCounters(store, systemClock, limitPolicy(LIMITS), silentLogger);
  await counters.start();
  const app = newServer({ trustedProxies: [], names: () => [], tls: null });
  const metrics = { core, controlSecret: '', tokenHeaders: [], counters, connectionsOf: async () => [] };
  serveMetrics(app, metrics, async () => {});
  serveV3(app, { core, handlers, open: openHandlers(oauthOf(core)), counters, tokenHeaders: [], log: silentLogger });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    service: { core, handlers, open: openHandlers(oauthOf(core)), counters },
    token,
    portfolio,
    file,
    today,
    async ask(path, sent) {
      const headers = { 'service-access-token': token };
      const { body } = await app.inject({ url: path, headers, ...(sent && { method: 'POST', payload: sent }) });
      const { error_code, error_msg } = JSON.parse(body) as { error_code: number; error_msg: string };
      if (error_code !== 200) throw new Error(`${path}: ${error_code} ${error_msg}`);
      return body;
    },
    async close() {
      await app.close();
      await counters.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openCore(file: string): Promise<Core> {
  const store = await openStore<CoreDatabase>({ kind: 'sqlite', file });
  return {
    store,
    clock: systemClock,
    random: systemRandom,
    ids: ulidMaker(systemClock, systemRandom),
    sealer: sealer(systemRandom.bytes(32), systemRandom),
    passwords: new PasswordHasher(systemRandom),
    onQueued: () => {},
    channels: sandboxChannels({ store, clock: systemClock }),
    publicUrl: () => 'https://rooms.example',
  };
}
