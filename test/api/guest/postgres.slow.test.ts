import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { runChange } from '../../../src/core/change.ts';
import { linkReservation } from '../../../src/core/conversations/receive.ts';
import { readGuestPage } from '../../../src/core/guestPages/link.ts';
import { readRegistrations } from '../../../src/core/guestPages/registration/read.ts';
import { deleteExpired } from '../../../src/core/guestPages/registration/retention.ts';
import type { ReservationCode } from '../../../src/kernel/ids.ts';
import { openConversation } from '../../support/conversations.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { ADA, type GuestWorld, once, startGuestWorld } from './support/guestWorld.ts';

const MANY = 10;

describeOnPostgres('the page of a guest on PostgreSQL, where requests run at the same time', () => {
  let server: TestPostgres;
  let world: GuestWorld;
  let code: string;
  let path: string;
  before(async () => {
    server = await startPostgres();
    world = await startGuestWorld({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' });
    await world.tell(world.sea, { country: 'de', guide: 'The key box hangs left of the door.' });
    code = await world.book(world.sea, '2026-12-01', '2026-12-03', { number_of_guests: 4 });
  });
  after(async () => {
    await world.core.close();
    await server.stop();
  });
  const atOnce = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: MANY }, (_, index) => work(index)));

  it('is made once, whoever asks for it', async () => {
    const paths = new Set(await atOnce(() => world.link(code)));
    assert.equal(paths.size, 1);
    [path = ''] = paths;
    assert.match((await world.see(path)).text, /Sea House[\s\S]*key box[\s\S]*0 of 4 guests registered/);
  });

  it('registers each guest once, whose form is sent many times', async () => {
    const forms = ['Ada', 'Grace'].map((name) => ({ stay: code, once: once(), ...ADA, given_name: name }));
    const answers = await atOnce((index) => world.send(`${path}/guest`, forms[index % 2] ?? {}));
    assert.deepEqual([...new Set(answers.map(({ http }) => http))], [303]);
    const { registrations } = await readRegistrations(world.core.core, world.who, code);
    assert.deepEqual(new Set(registrations.map(({ given_name }) => given_name)), new Set(['Ada', 'Grace']));
    assert.equal(registrations.length, 2);
    assert.deepEqual((await readGuestPage(world.core.core, world.who, code)).registered, { guests: 2, of: 4 });
    const stored = await world.core.core.store.db.selectFrom('guest_registrations').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(stored), /XK-998877|St James/);
  });

  it('takes a message once that is sent many times', async () => {
    const conversation = await openConversation(world.core);
    const { core, own } = world.core;
    await runChange(core, { account: own.account, operator: null }, (change) =>
      linkReservation(change, conversation, code as ReservationCode),
    );
    const form = { text: 'Is there a cot?', once: once() };
    const answers = await atOnce(() => world.send(`${path}/message`, form));
    assert.deepEqual([...new Set(answers.map(({ http }) => http))], [303]);
    const { messages } = await world.core.call('getConversation', { conversation_id: conversation });
    assert.deepEqual(
      messages.map((one: Record<string, unknown>) => one['content']),
      ['Is there a cot?'],
    );
  });

  it('forgets what was registered on its day', async () => {
    world.at('2027-12-02T12:00:00Z');
    const { core } = world.core;
    await atOnce(() => deleteExpired(core));
    assert.deepEqual(await core.store.db.selectFrom('guest_registrations').selectAll().execute(), []);
  });
});
