import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OperationId, operationIds, operations } from '../../../src/contract/index.ts';
import { addressOfOperation } from '../../../src/api/docs/resources/resources.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { codeIn, runProgram, sectionOf } from './support/programs.ts';

const LANGUAGES = { curl: 'curl', TypeScript: 'typescript', Python: 'python' } as const;
type Title = keyof typeof LANGUAGES;
const { createReservation, listReservations, updateReservation, deletePropertyTag } = operations;
const TITLES = Object.keys(LANGUAGES) as Title[];

describe('requests of the reference, run as they stand there', () => {
  let core: TestCore;
  let url: string;
  before(async () => {
    core = await startCore();
    url = await core.app.listen({ host: '127.0.0.1', port: 0 });
    await core.call('createProperty', { title: 'Sea View' });
  });
  after(() => core.close());

  const samplesOf = async (id: OperationId) => {
    const [page = ''] = addressOfOperation(id).split('#');
    return codeIn(sectionOf(await (await fetch(`${url}${page}`)).text(), id));
  };

  /** Runs a sample after a reader has put values of their own into it. @returns `data` */
  const run = async (id: OperationId, title: Title, own: Record<string, string> = {}) => {
    let text = (await samplesOf(id)).get(title) ?? '';
    for (const [theirs, mine] of Object.entries(own)) {
      assert.ok(text.includes(theirs), `${id} ${title}: ${theirs}`);
      text = text.replaceAll(theirs, mine);
    }
    const { code, out, err } = await runProgram(LANGUAGES[title], text, { env: { URL: url, TOKEN: core.own.token } });
    assert.equal(code, 0, `${id} ${title}: ${out} ${err}`);
    const said = JSON.parse(out);
    // curl shows the whole answer, the programs what they take from it.
    if (title !== 'curl') return said;
    assert.equal(said.error_code, 200, out);
    return said.data;
  };

  it('every operation has all three', async () => {
    for (const id of operationIds) {
      const samples = await samplesOf(id);
      for (const title of TITLES) assert.ok(samples.has(title), `${id} ${title}`);
    }
  });

  for (const [index, title] of TITLES.entries()) {
    it(`${title}: reads, writes a body, fills a path and a query, deletes`, async () => {
      const account = await run('getAccount', title);
      assert.equal(account.account_id, core.own.account.account_id);

      const code = `2027-0${index + 3}-`;
      const guest = `Zoë O’Neill ${index}`;
      const { guest_name, channel_id, check_in_date } = createReservation.example;
      const own = { [check_in_date.slice(0, 8)]: code, [channel_id]: `Order${index}`, [guest_name]: guest };
      const { stay_code } = await run('createReservation', title, own).then(({ reservation_code }) => ({
        stay_code: reservation_code as string,
      }));
      assert.match(stay_code, /^5-/);

      const { start_check_in_date: from, end_check_in_date: to } = listReservations.example;
      const asked = { [from]: `${code}01`, [to]: `${code}28` };
      const { reservations } = await run('listReservations', title, asked);
      assert.deepEqual(
        reservations.map((one: any) => [one.stay_code, one.guest_name]),
        [[stay_code, guest]],
      );

      await run('updateReservation', title, { [updateReservation.example.stay_code]: stay_code });
      const { reservations: changed } = await core.call('listReservations', { reservation_code: stay_code });
      assert.equal(changed[0].number_of_guests, updateReservation.example.number_of_guests);

      const { tag_id } = await core
        .call('createPropertyTag', { name: `Tag ${index}` })
        .then(({ id }) => ({ tag_id: id }));
      await run('deletePropertyTag', title, { [`/tags/${deletePropertyTag.example.id}`]: `/tags/${tag_id}` });
      const { tags } = await core.call('listPropertyTags');
      assert.ok(!tags.some((one: any) => one.id === tag_id));
    });

    it(`${title}: a refusal is told, not taken for an answer`, async () => {
      const text = (await samplesOf('updateReservation')).get(title) ?? '';
      const { code, out, err } = await runProgram(LANGUAGES[title], text, { env: { URL: url, TOKEN: core.own.token } });
      if (title === 'curl') assert.equal(JSON.parse(out).error_code, 404);
      else assert.deepEqual([code, /404 /.test(err)], [1, true], err);
    });
  }
});
