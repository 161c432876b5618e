import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentHash } from '../../src/imports/identity.ts';
import type { Mapping } from '../../src/imports/mapping.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { all, fileOf } from './support/files.ts';
import { hotelCsv, hotelMapping, type HotelRow } from './support/hotel.ts';

async function hashes(rows: HotelRow[], mapping: Mapping = hotelMapping): Promise<string[]> {
  const { outcomes } = await openReservations(fileOf(hotelCsv(rows)), mapping);
  return (await all(outcomes)).map((outcome) => (outcome.kind === 'booking' ? contentHash(outcome) : 'rejected'));
}

describe('what is known of an imported row', () => {
  it('is the same in the next run of the same file', async () => {
    assert.deepEqual(await hashes([{}, { adr: '1' }]), await hashes([{}, { adr: '1' }]));
  });

  it('tells a changed row by its content', async () => {
    const [before] = await hashes([{}]);
    for (const change of [{ adr: '100.51' }, { country: 'ESP' }, { meal: 'HB' }, { lead_time: '8' }]) {
      const [after] = await hashes([change]);
      assert.notEqual(after, before, JSON.stringify(change));
    }
  });

  it('does not look at columns that the mapping does not use', async () => {
    assert.deepEqual(await hashes([{ agent: '9' }]), await hashes([{ agent: '240' }]));
  });

  it('does not depend on where the row stands when a column identifies it', async () => {
    const byAgent: Mapping = { ...hotelMapping, identity: { column: 'agent' } };
    byAgent.booking = { ...byAgent.booking, guest_name: { value: 'Guest' } };
    const [first, second] = await hashes([{ agent: 'x' }, { agent: 'y' }], byAgent);
    assert.deepEqual(await hashes([{ agent: 'y' }, { agent: 'x' }], byAgent), [second, first]);
    assert.notEqual(first, second);
  });
});
