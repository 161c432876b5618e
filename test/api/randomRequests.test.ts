import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { guardedIds, type OperationId, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type Dice, seededDice } from '../../src/kernel/seeded.ts';
import { type Belongings, type Fields, furnish, inputsAbout, OF_ACCOUNT, requestOf } from '../support/fixtures.ts';
import { namesThing } from '../support/canaries.ts';
import { type Answer, startCore, type TestAccount, type TestCore } from '../support/core.ts';

const REQUESTS = 1_000;
const SEED = 20_261_121;

describe('S10: one operator, while another has everything that can be had', () => {
  let core: TestCore;
  let stranger: TestAccount;
  let mine: Belongings;
  let theirs: Belongings;
  before(async () => {
    core = await startCore();
    stranger = await core.addAccount(`${OF_ACCOUNT} owner`);
    theirs = await furnish(core, stranger);
    mine = await furnish(core, core.own, { ofProperty: 'OWNTHINGP', ofAccount: 'OWNTHINGA' });
  });
  after(() => core.close());

  /** Everything of the other account, as it is stored. */
  async function others(): Promise<string> {
    const contents: string[] = [];
    for (const { name, columns } of await core.core.store.db.introspection.getTables()) {
      if (!columns.some((column) => column.name === 'account_id')) continue;
      const of = sql`select * from ${sql.table(name)} where account_id = ${stranger.account.account_id}`;
      contents.push(JSON.stringify((await of.execute(core.core.store.db)).rows));
    }
    return contents.join('\n');
  }

  /** A field that names a thing names one of either account, or none; the others stay or go. */
  function vary(dice: Dice, id: OperationId): Fields {
    const { query, params }: Operation = operations[id];
    const [own, foreign] = [inputsAbout(mine)[id], inputsAbout(theirs)[id]];
    const strangeNumbers = Object.values(theirs).filter((value) => typeof value === 'number');
    const strangeTexts = Object.values(theirs).filter((value) => typeof value === 'string');
    const fields: Fields = {};
    for (const name of new Set([...Object.keys(own), ...Object.keys(query.shape)])) {
      const isNeeded = name in params.shape;
      if (!isNeeded && dice.percent(25)) continue;
      const value = dice.percent(50) ? own[name] : foreign[name];
      if (value !== undefined && !dice.percent(15)) fields[name] = value;
      else if (namesThing(name) || isNeeded)
        fields[name] = dice.percent(60)
          ? dice.pick(strangeNumbers as [number, ...number[]])
          : dice.pick(strangeTexts as [string, ...string[]]);
      else if (name.startsWith('start_')) fields[name] = '2026-06-01';
      else if (name.startsWith('end_')) fields[name] = '2027-05-01';
      else if (/keyword/.test(name)) fields[name] = dice.percent(50) ? 'SENTINEL' : 'OWN';
    }
    return fields;
  }

  it(`${REQUESTS.toLocaleString('en-US')} random requests: nothing of the other in any answer, nothing of it changed`, async (t) => {
    const dice = seededDice(SEED);
    const before = await others();
    const codes = new Map<number, number>();
    let ownSeen = 0;
    for (let i = 0; i < REQUESTS; i += 1) {
      const id = dice.pick(guardedIds as unknown as [OperationId, ...OperationId[]]);
      const token = dice.percent(80) ? core.own.token : core.own.readToken;
      const [method, path, options] = requestOf(id, vary(dice, id));
      const answer: Answer = await core.request(method, path, { ...options, token });
      const said = `request ${i}: ${id} ${path} ${JSON.stringify(options.body)} -> ${answer.text}`;
      assert.ok(!/SENTINEL[PA]/.test(answer.text + JSON.stringify(answer.headers)), said);
      assert.notEqual(answer.error_code, 500, said);
      if (/OWNTHING[PA]/.test(answer.text)) ownSeen += 1;
      codes.set(answer.error_code, (codes.get(answer.error_code) ?? 0) + 1);
    }
    t.diagnostic(
      `answers by code: ${JSON.stringify(Object.fromEntries([...codes].toSorted(([a], [b]) => a - b)))}; own texts in ${ownSeen}`,
    );
    assert.equal(await others(), before);
    assert.ok((codes.get(200) ?? 0) > REQUESTS / 5, 'many requests were good');
    assert.ok((codes.get(403) ?? 0) + (codes.get(404) ?? 0) > REQUESTS / 10, 'many were about what is another’s');
    assert.ok(ownSeen > REQUESTS / 50, 'the search finds what is shown');
  });
});
