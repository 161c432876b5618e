import { addDaysWithin, dateIn } from '../../kernel/dates.ts';
import { Stopped } from '../perform/stopped.ts';
import { dayOf } from '../times.ts';
import type { Action } from './action.ts';

/** Opens or blocks nights around a stay, such as the night after it. */
export const availability: Action<'availability'> = {
  isRepeatable: () => true,
  speaks: false,
  async prepare({ facts: { stay, property }, spec, context }) {
    if (!stay || !property) throw new Stopped('skipped', 'stay_gone');
    const { store, connection, clock, client } = context;
    const today = dateIn(property.zone, clock.now());
    const first = dayOf(spec.from, stay);
    const last = addDaysWithin(first, spec.nights - 1);
    if (last < today) throw new Stopped('skipped', 'out_of_bounds', { detail: 'the nights are over' });
    const range = { start_date: first < today ? today : first, end_date: last };
    const taken = await store.db
      .selectFrom('stay_nights')
      .select('night')
      .where('connection', '=', connection)
      .where('property_id', '=', property.id)
      .where('status', '=', 'accepted')
      .where('night', '>=', range.start_date)
      .where('night', '<=', range.end_date)
      .limit(1)
      .executeTakeFirst();
    if (taken) throw new Stopped('skipped', 'out_of_bounds', { detail: `a stay holds ${taken.night}` });
    return {
      text: `${spec.available ? 'open' : 'block'} ${range.start_date} to ${range.end_date}`,
      async run(guard) {
        const body = { property_ids: [property.id], available: spec.available, ...range };
        await client.call('updateAvailabilities', body, guard);
      },
    };
  },
};
