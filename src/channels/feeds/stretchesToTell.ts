import { addDays, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import type { FeedEntryRow } from './rows.ts';

type Claim = Pick<FeedEntryRow, 'feed_id' | 'kind' | 'start_date' | 'end_date' | 'echo' | 'reservation_code'>;

/** Nights from the first to before the last day. */
interface Stretch {
  readonly start: PlainDate;
  readonly end: PlainDate;
}

/**
 * Returns the nights of another feed's claim that a feed is told of. Where two marketplaces close the same night, each by
 * itself, and both were told of the other, neither would ever open it: what one of them gives up would come back to it as
 * ours. So of two who close a night by themselves, the one with more weight is not told of the other. More weight has
 * what may be sold, since others must hear of that; of equals, the feed that was added first.
 * @param own what the feed that is told shows by itself
 */
export function stretchesToTell(claim: Claim, own: readonly Claim[]): Stretch[] {
  const { start_date: start, end_date: end } = claim;
  const stronger = own.filter(
    (one) => closesItself(one) && outweighs(one, claim) && one.start_date < end && start < one.end_date,
  );
  if (stronger.length === 0) return [{ start, end }];
  const stretches: { start: PlainDate; end: PlainDate }[] = [];
  for (const night of nightsOf(start, end)) {
    if (stronger.some((one) => one.start_date <= night && night < one.end_date)) continue;
    const last = stretches.at(-1);
    if (last?.end === night) last.end = addDays(night, 1);
    else stretches.push({ start: night, end: addDays(night, 1) });
  }
  return stretches;
}

function closesItself({ echo, reservation_code }: Claim): boolean {
  return echo === 0 && reservation_code === null;
}

function outweighs(one: Claim, other: Claim): boolean {
  const [mine, others] = [one.kind !== 'block', other.kind !== 'block'];
  return mine === others ? one.feed_id < other.feed_id : mine;
}
