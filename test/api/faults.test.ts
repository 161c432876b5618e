import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { perform as runOperation } from '../../src/api/http/pipeline.ts';
import type { WireRequest } from '../../src/api/http/parse.ts';
import { guardedIds, type OperationId, operations } from '../../src/contract/index.ts';
import type { Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { limitPolicy } from '../../src/core/limits/policy.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { type Belongings, furnish, inputsAbout, perform, wireRequestOf } from '../support/fixtures.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';

const FAULT = 'fault on purpose';
/** No operation asks more often. */
const MOST_QUERIES = 200;

/** What is taken away last, so that all others find it: the last run of each operation is a whole one. */
const IN_ORDER = guardedIds.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));

function isDelete(id: OperationId): boolean {
  return operations[id].method === 'DELETE';
}

/** Throws at the query of this number, whatever it asks, once its answer is there. */
class FaultyQueries implements KyselyPlugin {
  asked = 0;
  met = false;
  readonly #at: number;
  readonly #onFault: () => void;

  constructor(at: number, onFault: () => void = () => {}) {
    this.#at = at;
    this.#onFault = onFault;
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node;

  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    this.asked += 1;
    if (this.asked !== this.#at) return result;
    this.met = true;
    this.#onFault();
    throw new Error(FAULT);
  };
}

function withFaults(store: Store<CoreDatabase>, plugin: KyselyPlugin): Store<CoreDatabase> {
  return {
    ...store,
    db: store.db.withPlugin(plugin) as Kysely<CoreDatabase>,
    transaction: (work) => store.transaction((trx) => work(trx.withPlugin(plugin) as typeof trx)),
  };
}

describe('S40: a guard that throws', () => {
  let core: TestCore;
  let mine: Belongings;
  /** Sees by itself whether anybody else has committed. */
  let watch: Database.Database;
  before(async () => {
    core = await startCore();
    mine = await furnish(core, core.own);
    watch = new Database(join(core.folder, 'core.db'), { readonly: true });
  });
  after(async () => {
    watch.close();
    await core.close();
  });

  const commits = () => watch.pragma('data_version', { simple: true });

  /** As the door would ask, of a core that was changed. */
  async function ask(
    id: OperationId,
    change: { core?: Partial<Core>; counters?: Partial<RequestCounters>; request?: Partial<WireRequest> },
  ): Promise<unknown> {
    const request: WireRequest = { ...wireRequestOf(id, inputsAbout(mine)[id]), ...change.request };
    const counters = new RequestCounters(core.core.store, core.clock, limitPolicy('off'), silentLogger);
    Object.assign(counters, change.counters);
    const service = {
      core: { ...core.core, ...change.core },
      handlers,
      open: openHandlers(oauthOf(core.core)),
      counters,
    };
    return runOperation(service, id, core.own.token, request);
  }

  const refusedBy = (error: unknown) => error instanceof Error && error.message === FAULT;
  const fault = (): never => {
    throw new Error(FAULT);
  };

  it('the way these tests ask is the way that works', async () => {
    assert.deepEqual(await ask('getAccount', {}), (await core.request('GET', '/accounts/me')).data);
  });

  it('limits: no operation is carried out', async () => {
    const before = commits();
    for (const id of guardedIds) await assert.rejects(ask(id, { counters: { enter: fault } }), refusedBy, id);
    assert.equal(commits(), before);
  });

  it('parse, in each part of a request: no operation is carried out', async () => {
    const before = commits();
    const parts = ['params', 'query', 'body'] as const;
    for (const id of guardedIds) {
      for (const part of parts.filter((one) => one !== 'body' || operations[id].body !== null)) {
        const request = { [part]: new Proxy({}, { get: fault, has: fault, ownKeys: fault }) };
        await assert.rejects(ask(id, { request }), refusedBy, `${id} ${part}`);
      }
    }
    assert.equal(commits(), before);
  });

  it('authenticate, exists, whose and rule: with any one of its queries broken, an operation is refused', async (t) => {
    let faults = 0;
    for (const id of IN_ORDER) {
      for (let at = 1; at <= MOST_QUERIES; at += 1) {
        let seen: unknown;
        const plugin = new FaultyQueries(at, () => (seen = commits()));
        const result = await ask(id, { core: { store: withFaults(core.core.store, plugin) } }).catch(
          (error: unknown) => error,
        );
        if (!plugin.met) {
          assert.ok(!(result instanceof Error) || result instanceof ApiError, `${id}: ${String(result)}`);
          break;
        }
        faults += 1;
        assert.ok(refusedBy(result), `${id}, query ${at}: ${JSON.stringify(result)}`);
        assert.equal(commits(), seen, `${id}, query ${at}: nothing is kept after it`);
      }
    }
    t.diagnostic(`${faults} faults, each refused`);
    assert.ok(faults > 400, `only ${faults}`);
  });
});

describe('S40: a word in the database that nobody has thought of', () => {
  const rows: [what: string, table: 'accounts' | 'tokens' | 'operators', set: object, answer: [number, string]][] = [
    ['a scope', 'tokens', { scope: 'admin' }, [401, 'Not authorized for this action']],
    ['an empty scope', 'tokens', { scope: '' }, [401, 'Not authorized for this action']],
    ['the time a token ended', 'tokens', { revoked_at: '' }, [401, 'Invalid access token']],
    ['a subscription', 'accounts', { subscription: 'trial' }, [420, 'Account suspended']],
    ['an edition', 'accounts', { edition: '' }, [420, 'Basic edition does not support this feature']],
    ['a last day', 'accounts', { expires_at: 'never' }, [420, 'Subscription expired']],
  ];
  for (const [what, table, set, [code, message]] of rows) {
    it(`${what}: ${code} for every write, and nothing changes`, async () => {
      const core = await startCore();
      const inputs = inputsAbout(await furnish(core, core.own));
      await core.core.store.db.updateTable(table).set(set).execute();
      const before = await core.stored();
      for (const id of guardedIds.filter((one) => operations[one].scope !== 'read')) {
        const { error_code, error_msg } = await perform(core, id, inputs[id], core.own.token);
        assert.deepEqual([error_code, error_msg], [code, message], id);
      }
      assert.equal(await core.stored(), before);
      await core.close();
    });
  }

  it('a kind of person: sees no property', async () => {
    const core = await startCore();
    const mine = await furnish(core, core.own);
    await sql`update operators set kind = 'auditor'`.execute(core.core.store.db);
    for (const path of ['/properties', '/reservations?start_check_out_date=2020-01-01', `/tasks?id=${mine.task}`]) {
      const { error_code, data } = await core.request('GET', path);
      assert.deepEqual([error_code, data.total], [200, 0], path);
    }
    await core.close();
  });
});
