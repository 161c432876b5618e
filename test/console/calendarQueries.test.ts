import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { readQuote, readShortest, readSources } from '../../src/console/book/query.ts';
import { readListings } from '../../src/console/calendar/prices.ts';
import { readCalendar } from '../../src/console/calendar/query.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const FROM = '2027-03-10';
const AT = '2027-03-01T00:00:00Z';
const facts = { connection: 'local', read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };

type Table =
  | 'properties'
  | 'property_listings'
  | 'listings'
  | 'calendar_days'
  | 'stay_nights'
  | 'availability_days'
  | 'custom_channels';

function cases(open: () => MirrorStore): void {
  const put = (table: Table, ...rows: object[]) =>
    open()
      .db.insertInto(table)
      .values(rows as never)
      .execute();
  const own = { connection: 'local' };
  const asked = { connection: 'local', from: FROM, page: 1, hasNames: true };
  const calendar = (more: object) => readCalendar(open().db, { ...asked, ...more });
  const ids = async (more: object) => (await calendar(more)).units.map(({ id }) => id);

  before(async () => {
    const place = (id: number, name: string, groups: string[], tags: string[]) => ({
      ...facts,
      id,
      name,
      status: 'active',
      groups: JSON.stringify(groups),
      tags: JSON.stringify(tags),
    });
    await put(
      'properties',
      place(1, 'Barn', ['Hills'], []),
      place(2, 'Mill', ['Hills', 'River'], ['dogs']),
      place(3, 'Sea', [], ['dogs']),
    );
    await put(
      'property_listings',
      { ...own, property_id: 1, listing: 'a/1', currency: 'JPY' },
      { ...own, property_id: 1, listing: 'b/1', currency: null },
      { ...own, property_id: 2, listing: 'b/2', currency: null },
    );
    const listing = (name: string) => {
      const [channel_type = '', listing_id = ''] = name.split('/');
      return { ...facts, listing: name, channel_type, listing_id, title: `At ${name}` };
    };
    await put('listings', listing('a/1'), { ...listing('b/1'), deleted_at: AT });
    const day = (name: string, date: string, price: string | null, min: number | null = null) => {
      const [channel_type = '', listing_id = ''] = name.split('/');
      return {
        ...own,
        listing: name,
        channel_type,
        listing_id,
        date,
        price,
        inventory: 1,
        min_stay_on_arrival: min,
        min_stay_through: null,
      };
    };
    await put(
      'calendar_days',
      day('a/1', '2027-03-10', null),
      day('b/1', '2027-03-10', '80.5', 3),
      day('b/1', '2027-03-11', '90'),
    );
    await put('calendar_days', day('b/2', '2027-03-11', '70'), day('b/2', '2028-03-11', '1'));
    const night = { ...own, stay_code: 'S', property_id: 2, status: 'accepted', night_number: 1 };
    await put('stay_nights', { ...night, night: '2027-03-11' });
    await put('availability_days', { ...own, property_id: 3, date: '2027-03-12', available: 0, remarks: 'paint' });
    await put('custom_channels', { ...facts, id: 8, name: 'Phone' }, { ...facts, id: 9, name: 'Fair', deleted_at: AT });
  });

  it('chooses rows by group, tag and name together, within what the person sees', async () => {
    assert.deepEqual(await ids({ group: 'Hills' }), [1, 2]);
    assert.deepEqual(await ids({ group: 'Hills', tag: 'dogs' }), [2]);
    assert.deepEqual(await ids({ tag: 'dogs', named: 'SEA' }), [3]);
    assert.deepEqual(await ids({ group: 'Hill' }), []);
    assert.deepEqual(await ids({ tag: 'dogs', properties: [1, 3] }), [3]);
    const { groups, tags } = await calendar({ properties: [1] });
    assert.deepEqual([groups, tags], [['Hills'], []]);
  });

  it('shows the prices of the first listing that has one, in its own currency, only if they are asked for', async () => {
    const { units } = await calendar({ pricesIn: 'EUR' });
    const shown = units.map(({ prices }) =>
      [...prices.values()].map(({ date, price, currency, minimum }) => [date, price, currency, minimum]),
    );
    assert.deepEqual(shown, [
      [
        ['2027-03-10', 8_050, 'EUR', 3],
        ['2027-03-11', 9_000, 'EUR', null],
      ],
      [['2027-03-11', 7_000, 'EUR', null]],
      [],
    ]);
    assert.equal((await calendar({})).units[0]?.prices.size, 0);
    const listings = await readListings(open().db, { connection: 'local', property: 1 });
    assert.deepEqual(
      listings.map(({ listing, title, currency }) => [listing, title, currency]),
      [['a/1', 'At a/1', 'JPY']],
    );
  });

  it('quotes the sum of the nights, says what holds them, and which other properties are free', async () => {
    const of = { connection: 'local', currency: 'EUR', from: FROM };
    const quote = (property: number, to: string, properties = [1, 2, 3]) =>
      readQuote(open().db, { ...of, property, to, properties });
    const barn = await quote(1, '2027-03-12');
    assert.deepEqual([barn.total, barn.isFree, barn.minimum, barn.free], [17_050, true, 3, [3]]);
    assert.deepEqual((await quote(1, '2027-03-13')).total, null);
    assert.deepEqual((await quote(1, '2027-03-13')).free, []);
    const mill = await quote(2, '2027-03-12', [2]);
    assert.deepEqual([mill.isFree, mill.free], [false, []]);
    assert.deepEqual(
      mill.nights.map(({ takenBy }) => takenBy?.kind),
      [undefined, 'stay'],
    );
    const sea = await quote(3, '2027-03-13');
    assert.deepEqual(sea.nights.at(-1)?.takenBy, { kind: 'block', text: 'paint' });
    assert.equal(await readShortest(open().db, { ...of, property: 1 }), '2027-03-13');
    assert.equal(await readShortest(open().db, { ...of, property: 3 }), '2027-03-11');
    assert.deepEqual(await readSources(open().db, { connection: 'local' }), [{ id: 8, name: 'Phone' }]);
  });
}

onBothMirrors('what the calendar asks the mirror', cases);
