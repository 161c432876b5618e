import { CallError } from '../../../client/callError.ts';
import { addDays, dateIn, dayNumber, daysBetween, nightsOf, type PlainDate } from '../../../kernel/dates.ts';
import { Stopped } from '../../perform/stopped.ts';
import type { ActionOf } from '../../rules/actions.ts';
import { type Covered, coveredProperties, readCalendars, splitListing, type WireDay } from './covered.ts';
import type { Action, ActionContext } from '../action.ts';
import { gapsBetween } from './gaps.ts';
import { baseOf, changesIn, memoryOf, nightKey, type NightChange, type NightMemories } from './memory.ts';
import { nearest } from './steps.ts';

type Spec = ActionOf<'min_stay'>['with'];
/** Null for no minimum. */
type Nights = number | null;

/** Most nights that a round sets; the next round sets the rest. */
const MOST_CHANGES = 500;

/** Sets the minimum stay for arrivals on free nights, and restores the old value when the rule no longer applies. */
export const minStay: Action<'min_stay'> = {
  isRepeatable: () => true,
  speaks: false,
  asksConditions: true,
  async prepare(actionContext) {
    const { context, plan } = actionContext;
    const changes = (await changesOf(actionContext)).slice(0, MOST_CHANGES);
    if (changes.length === 0) throw new Stopped('skipped', 'nothing_to_do');
    // A value that an earlier attempt may have set must stay remembered.
    const min_stays = [...changesIn<Nights>(plan), ...changes];
    return {
      text: changes
        .map(({ listing, date, from, to }) => `${listing} ${date}: ${from ?? 'none'} → ${to ?? 'none'}`)
        .join('\n'),
      intent: { min_stays },
      async run(guard) {
        const refused: CallError[] = [];
        const listings = [...new Set(changes.map(({ listing }) => listing))];
        for (const listing of listings) {
          const restrictions = rangesOf(changes.filter((one) => one.listing === listing));
          try {
            await context.client.call('updateRestrictions', { ...splitListing(listing), restrictions }, guard);
          } catch (error) {
            // A refusal by one channel affects only that channel.
            if (!(error instanceof CallError) || error.client !== 'fix') throw error;
            refused.push(error);
          }
        }
        const [first] = refused;
        if (first && refused.length === listings.length) throw first;
        return { min_stays };
      },
    };
  },
};

async function changesOf({ context, plan, rule, spec }: ActionContext<'min_stay'>): Promise<NightChange<Nights>[]> {
  const today = dateIn(context.zone(), context.clock.now());
  const days = { today, last: addDays(today, spec.days_ahead) };
  const memory = await memoryOf<Nights>(context, plan, { forgets: false });
  const changes: NightChange<Nights>[] = [];
  for (const covered of await coveredProperties(context, rule, days)) {
    const wanted = wantedNights(spec, covered, days);
    for (const { listing, days: calendar } of await readCalendars(context, covered.listings, days)) {
      changes.push(...minStayChanges(listing, knownNights(calendar), wanted, memory));
    }
  }
  return changes;
}

/** Returns the minimum stay for each date. Dates without one keep their value without the rule. */
function wantedNights(
  spec: Spec,
  { stays }: Covered,
  { today, last }: { today: PlainDate; last: PlainDate },
): ReadonlyMap<PlainDate, number> {
  if (spec.nights === 'gaps') return gapStays(stays, spec);
  const dated = nightsOf(today, addDays(last, 1)).map(
    (date) => [date, nearest(spec.by_lead_days, daysBetween(today, date))?.min_stay] as const,
  );
  return new Map(dated.flatMap(([date, nights]) => (nights === undefined ? [] : [[date, nights] as const])));
}

/** Returns the minimum stays of gaps. An arrival within a gap must stay to its end, so no nights remain after it. */
export function gapStays(
  stays: Covered['stays'],
  { longest_gap, at_least }: { longest_gap: number; at_least: number },
): Map<PlainDate, number> {
  const gaps = gapsBetween(stays, longest_gap).filter(({ first, end }) => daysBetween(first, end) >= at_least);
  return new Map(
    gaps.flatMap(({ first, end }) =>
      nightsOf(first, end).map((night) => [night, Math.max(at_least, daysBetween(night, end))] as const),
    ),
  );
}

/** A night of a calendar with known restrictions. */
interface RestrictedNight {
  date: PlainDate;
  inventory: number;
  min: Nights;
  max: Nights;
}

/** Returns the nights with known restrictions. A missing restriction is unknown; it does not mean none. */
function knownNights(days: readonly WireDay[]): RestrictedNight[] {
  return days.flatMap(({ date, inventory, restrictions }) => {
    if (date === null || inventory === null || restrictions === null) return [];
    const { min_stay_on_arrival: min, max_stay_on_arrival: max } = restrictions;
    return [{ date, inventory, min, max }];
  });
}

/** Returns the values to set for free nights: the wanted one, or the one before the rule. */
export function minStayChanges(
  listing: string,
  calendar: readonly RestrictedNight[],
  wanted: ReadonlyMap<PlainDate, number>,
  { own, gone }: NightMemories<Nights>,
): NightChange<Nights>[] {
  return calendar.flatMap(({ date, inventory, min, max }) => {
    if (inventory < 1) return [];
    const key = nightKey(listing, date);
    const known = baseOf(min, own.get(key), gone.get(key));
    if (!known) return [];
    const to = wanted.get(date) ?? known.base;
    // A channel refuses a minimum above the maximum stay.
    const isPossible = to === null || max === null || to <= max;
    return to === min || !isPossible ? [] : [{ listing, date, from: known.base, to }];
  });
}

/** Joins consecutive days with the same value. */
function rangesOf(changes: readonly NightChange<Nights>[]) {
  const ranges: { start_date: PlainDate; end_date: PlainDate; min_stay_on_arrival: Nights }[] = [];
  for (const { date, to } of changes.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const last = ranges.at(-1);
    const isNext = last?.min_stay_on_arrival === to && dayNumber(date) === dayNumber(last.end_date) + 1;
    if (last && isNext) last.end_date = date;
    else ranges.push({ start_date: date, end_date: date, min_stay_on_arrival: to });
  }
  return ranges;
}
