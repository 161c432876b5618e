import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { turn } from '../../src/kernel/clock.ts';
import { openStore } from '../../src/store/store.ts';
import { describeOnPostgres, findPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { ContractCase, Given, Tables } from './contract/given.ts';
import { migrations } from './contract/migrations.ts';
import { order } from './contract/order.ts';
import { rows } from './contract/rows.ts';
import { transactions } from './contract/transactions.ts';
import { values } from './contract/values.ts';

/** What a store promises, whichever database is beneath. */
const contract: ContractCase[] = [...transactions, ...migrations, ...values, ...rows, ...order];

const passed = { sqlite: 0, postgres: 0 };

describe('the store contract on SQLite', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-contract-'));
  after(() => rmSync(dir, { recursive: true }));

  contract.forEach(({ name, run }, index) => {
    test(name, async () => {
      const store = await openStore<Tables>({ kind: 'sqlite', file: join(dir, `${index}.db`) });
      const nothing = async () => {};
      try {
        await run({ store, hold: nothing, somebodyWaits: nothing });
      } finally {
        await store.close();
      }
      passed.sqlite += 1;
    });
  });
});

describeOnPostgres('the store contract on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  contract.forEach(({ name, run }) => {
    test(name, async () => {
      const url = await server.emptyDatabase();
      const store = await openStore<Tables>({ kind: 'postgres', url, schema: 'core' });
      try {
        await run({ store, ...whereTransactionsMeet(server) });
      } finally {
        await store.close();
      }
      passed.postgres += 1;
    });
  });
});

function whereTransactionsMeet(server: TestPostgres): Pick<Given, 'hold' | 'somebodyWaits'> {
  return {
    async hold(until) {
      await until;
    },
    async somebodyWaits() {
      for (;;) {
        const { rowCount } = await server.query('select 1 from pg_locks where not granted');
        if (rowCount) return;
        await turn();
      }
    },
  };
}

after(() => {
  console.log(`store contract: ${passed.sqlite} cases on SQLite, ${passed.postgres} on PostgreSQL`);
  assert.equal(new Set(contract.map(({ name }) => name)).size, contract.length, 'a case is named twice');
  assert.equal(passed.sqlite, contract.length);
  if (findPostgres() !== undefined) assert.equal(passed.postgres, contract.length);
});
