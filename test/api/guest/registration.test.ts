import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eraseGuest, planErasure } from '../../../src/core/erasure/eraseGuest.ts';
import { readGuestPage, resealGuestPages } from '../../../src/core/guestPages/link.ts';
import { readRegistrations, registrationsCsv } from '../../../src/core/guestPages/registration/read.ts';
import { deleteExpired } from '../../../src/core/guestPages/registration/retention.ts';
import { openRegistration, resealRegistrations } from '../../../src/core/guestPages/registration/secrets.ts';
import { COUNTRIES, countryCodes, isCountry } from '../../../src/core/guestPages/registration/countries.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { resealing, sealer } from '../../../src/kernel/seal.ts';
import { PAYLOADS } from '../../support/hostileTexts.ts';
import { ADA, type GuestWorld, once, startGuestWorld } from './support/guestWorld.ts';

describe('what guests register', () => {
  let world: GuestWorld;
  let code: string;
  let path: string;
  let dates = ['2026-12-01', '2026-12-03'] as const;
  before(async () => (world = await startGuestWorld()));
  after(() => world.core.close());
  beforeEach(async () => {
    const { db } = world.core.core.store;
    await db.deleteFrom('guest_registrations').execute();
    await db.updateTable('stays').set({ status: 'cancelled' }).execute();
    await db.deleteFrom('nights').execute();
    dates = ['2026-12-01', '2026-12-03'];
    await world.tell(world.sea, { country: 'de' });
    code = await world.book(world.sea, ...dates);
    path = await world.link(code);
    world.at('2026-11-20T12:00:00Z');
  });

  const rows = () => world.core.core.store.db.selectFrom('guest_registrations').selectAll().execute();
  const register = (fields: Record<string, string>, more: Record<string, string> = {}) =>
    world.send(`${path}/guest`, { stay: code, once: once(), ...fields, ...more });
  const read = async () => (await readRegistrations(world.core.core, world.who, code)).registrations;
  const registered = async () => (await readGuestPage(world.core.core, world.who, code)).registered;

  it('is asked for where a country is set for the property, and nowhere else', async () => {
    assert.match((await world.see(path)).text, /0 of 2 guests registered[\s\S]*rules in Germany/);
    await world.tell(world.sea, { country: null });
    assert.doesNotMatch((await world.see(path)).text, /registered|Nationality/);
    assert.equal((await register(ADA)).http, 404);
    assert.equal(await registered(), null);
    await assert.rejects(world.tell(world.sea, { country: 'Germany' }), /country: must be the two letters/);
  });

  it('is stored sealed, read by the host with a note of it, and is in no event and no record of actions', async () => {
    const form = { ...ADA, once: once() };
    for (let sent = 0; sent < 2; sent += 1) assert.equal((await register(form)).http, 303);
    assert.deepEqual(await registered(), { guests: 1, of: 2 });
    const page = (await world.see(path)).text;
    assert.match(page, /1 of 2 guests registered[\s\S]*Ada/);
    assert.doesNotMatch(page, /Lovelace|XK-998877/, 'the page shows nobody’s papers again');
    const [shown, ...others] = await read();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [shown?.document_number, shown?.check_in_date, shown?.property],
      ['XK-998877', dates[0], 'Sea House'],
    );
    const all = await world.core.stored();
    assert.doesNotMatch(all, /XK-998877|St James|1985-12-10/);
    const audit = await world.core.core.store.db.selectFrom('audit').selectAll().execute();
    const read1 = audit.findLast(({ action }) => action === 'read guest registrations');
    assert.deepEqual([read1?.subject, read1?.new_values], [code, '{"guests":1}']);
    assert.ok(audit.some(({ action, subject }) => action === 'register guest' && subject === code));
    const { csv, name } = await registrationsCsv(world.core.core, world.who, code);
    assert.match(csv, /^stay_code,property,[\s\S]*XK-998877/);
    assert.match(name, /^guests-.*\.csv$/);
  });

  it('is refused with the field that is wrong, and what was typed stays', async () => {
    const wrong = [
      [{ birth_date: '1985-13-10' }, 'This is no date'],
      [{ birth_date: '2030-01-01' }, 'in the future'],
      [{ nationality: 'ZZ' }, 'choose one of the list'],
      [{ document_number: '' }, 'fill this in'],
      [{ document_number: '---' }, 'no letter and no number'],
      [{ address: 'x'.repeat(10_000) }, 'too long'],
      [{ document_type: 'library card' }, 'choose one of the list'],
    ] as const;
    for (const [fields, says] of wrong) {
      const { http, text } = await register({ ...ADA, ...fields });
      assert.equal(http, 422, says);
      assert.ok(text.includes(says), says);
      assert.match(text, /aria-invalid="true"[\s\S]*|value="Lovelace"/);
      world.at(new Date(world.core.clock.now() + 60_000).toISOString());
    }
    assert.equal((await register(ADA, { once: 'x' })).http, 422);
    assert.equal((await register(ADA, { stay: 'other' })).http, 404);
    assert.deepEqual(await rows(), []);
  });

  it('holds no more than the country asks of the guest', async () => {
    await register({ ...ADA, nationality: 'DE', email: 'ada@guest.example' });
    await register({ ...ADA, birth_date: '2020-01-01', given_name: 'Child' });
    const [own, child] = await read();
    assert.deepEqual(
      [own?.given_name, own?.family_name, own?.birth_date, own?.document_number],
      ['Ada', undefined, undefined, undefined],
    );
    assert.deepEqual(
      [child?.given_name, child?.birth_date, child?.document_number],
      ['Child', '2020-01-01', undefined],
    );
    assert.ok(!('email' in (own ?? {})));
    assert.equal((await register(ADA)).http, 409, 'all guests have registered');
    assert.match((await world.see(path)).text, /all guests have registered/);
  });

  it('asks what each country asks, the generic set where a country has no row', async () => {
    for (const country of [...Object.keys(COUNTRIES), 'NO']) {
      await world.tell(world.sea, { country });
      const { http, text } = await world.see(`${path}?lang=de`);
      assert.equal(http, 200);
      assert.match(text, /name="nationality"/, country);
      const asked = (COUNTRIES[country]?.fields ?? ['address']) as readonly string[];
      assert.equal(text.includes('name="address"'), asked.includes('address'), country);
      assert.ok(isCountry(country));
    }
    assert.ok(countryCodes.length > 240 && !isCountry('SU') && !isCountry('EU'));
  });

  it('is removed by the guest, never by another reservation', async () => {
    await register(ADA);
    const [row] = await rows();
    const other = await world.link(await world.book(world.hill, '2026-12-01', '2026-12-02'));
    assert.equal((await world.send(`${other}/remove`, { guest: row?.id ?? '' })).http, 404);
    assert.equal((await rows()).length, 1);
    assert.equal((await world.send(`${path}/remove`, { guest: row?.id ?? '' })).http, 303);
    assert.deepEqual(await rows(), []);
  });

  it('is deleted on its day: by the row of the country, else by the setting; at once when the stay is cancelled', async () => {
    const kept = async (moment: string) => {
      world.at(moment);
      await deleteExpired(world.core.core);
      return (await rows()).length;
    };
    await register(ADA);
    assert.equal(await kept('2027-12-01T12:00:00Z'), 1, 'a year from the day of arrival');
    assert.equal(await kept('2027-12-02T12:00:00Z'), 0);
    await world.tell(world.sea, { country: 'HR' });
    world.at('2026-11-20T12:00:00Z');
    const asked = { sex: 'female', birth_place: 'London', residence: 'GB' };
    assert.equal((await register({ ...ADA, ...asked })).http, 303);
    assert.equal(await kept('2027-01-02T12:00:00Z'), 1, 'thirty days after the check-out');
    assert.equal(await kept('2027-01-03T12:00:00Z'), 0);
    world.at('2026-11-20T12:00:00Z');
    await register({ ...ADA, ...asked });
    await world.core.call('cancelReservation', { reservation_code: code });
    assert.equal(await kept('2026-11-20T12:00:00Z'), 0);
  });

  it('is erased with the guest, and nothing else of the page is', async () => {
    const { core, own } = world.core;
    const who = { account: own.account, operator: null };
    await register(ADA);
    const plan = await planErasure(core, own.account, { by: 'reservation_code', reservation_code: code });
    assert.equal(plan.persons, 2);
    const { report } = await eraseGuest(core, who, { by: 'reservation_code', reservation_code: code });
    assert.equal(report.rows['registration'], 1);
    assert.deepEqual(await rows(), []);
    assert.equal((await world.see(path)).http, 200, 'the link stays');
    await world.tell(world.sea, { country: 'FR' });
    const more = { birth_place: 'London', phone: '+44 1', email: 'Ada@Guest.example' };
    assert.equal((await register({ ...ADA, ...more })).http, 303);
    await eraseGuest(core, who, { by: 'email', email: 'ada@guest.example' });
    assert.deepEqual(await rows(), [], 'by the address that only the registration has');
  });

  it('is sealed with the new key when the key is rotated, and so is the link', async () => {
    await register(ADA);
    const { store, sealer: present } = world.core.core;
    const next = sealer(systemRandom.bytes(32), systemRandom);
    const reseal = resealing(present, next);
    await store.transaction(async (trx) => {
      assert.equal(await resealRegistrations(trx, reseal), 1);
      assert.ok((await resealGuestPages(trx, reseal)) > 0);
    });
    const [row] = await rows();
    assert.equal(row && openRegistration({ sealer: next }, row).family_name, 'Lovelace');
    const rotated = { ...world.core.core, sealer: next };
    const { url } = await readGuestPage(rotated, world.who, code);
    assert.equal(new URL(url ?? '').pathname, path);
    const back = resealing(next, present);
    await store.transaction(
      async (trx) => void (await resealRegistrations(trx, back), await resealGuestPages(trx, back)),
    );
  });

  it('is text and nothing else, whatever it is: on the page, and in a spreadsheet', async () => {
    for (const text of PAYLOADS.filter((one) => one.length <= 80)) {
      const { text: page } = await register({ ...ADA, given_name: text, birth_date: 'x' });
      assert.doesNotMatch(page, /<script>|<img|<svg|<iframe|<body onload/, text);
      world.at(new Date(world.core.clock.now() + 60_000).toISOString());
    }
    await register({ ...ADA, given_name: '=HYPERLINK("http://evil.example")', family_name: '@SUM(1)' });
    const { csv } = await registrationsCsv(world.core.core, world.who, code);
    assert.match(csv, /"'=HYPERLINK/);
    assert.match(csv, /,'@SUM/);
  });
});
