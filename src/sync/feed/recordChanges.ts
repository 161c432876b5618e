import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorTrx, Origin } from '../tables/database.ts';
import { insertDerived } from './derived/derivedTable.ts';
import type { DerivedEvent } from './derived/names.ts';
import type { FieldChange } from '../tables/rows/diff.ts';
import { takePlaces } from './feedRows.ts';
import { type RowName, sealedDiff, sealedRaw } from '../tables/rows/sealedValues.ts';

/** One changed row, as history and feed store it. */
export interface RecordedChange {
  key: string;
  part: string | null;
  op: 'created' | 'updated' | 'deleted';
  /** null: nothing to compare with. */
  diff: readonly FieldChange[] | null;
  /** The replaced or deleted state; undefined for a new row. */
  old: { raw: string; changed_at: Instant; read_number: number } | undefined;
  /** Set if a guest waits for an answer to it. */
  needsAnswer?: boolean;
  /** Its derived events, if no event announces it. */
  derived?: readonly DerivedEvent[] | undefined;
}

/** The place and reason of a change. */
interface Occasion {
  connection: string;
  resource: string;
  /** The reason for the read, for changes that no event announced. */
  origin: Origin;
  at: Instant;
}

/** The most events that a change names. */
const MOST_NAMED = 200;

/**
 * Writes history and feed; the last thing before the commit, since the places in the feed are taken here.
 * @param seqs receives the last place of each key that changed
 * @returns the place of the first change; the others follow it
 */
export async function recordChanges(
  trx: MirrorTrx,
  { connection, resource, origin, at }: Occasion,
  changes: readonly RecordedChange[],
  open: { events: ReadonlyMap<string, readonly string[]> },
  seqs: Map<string, number>,
): Promise<number> {
  if (changes.length === 0) return 0;
  const first = await takePlaces(trx, connection, changes.length);
  const rows = changes.map(({ key, part, op, diff, needsAnswer, derived }, index) => {
    const events = open.events.get(key) ?? [];
    return {
      connection,
      seq: first + index,
      at,
      resource,
      key,
      part,
      op,
      derived: derived?.[0]?.name ?? null,
      seen_by: seenBy(events, origin),
      event_ids: JSON.stringify(events.slice(0, MOST_NAMED)),
      diff: diff && JSON.stringify(sealedDiff(trx, { connection, resource, key }, diff)),
      needs_answer: needsAnswer ? 1 : 0,
    };
  });
  await insertMany(trx, 'changes', rows);
  const named = rows.map((change, index) => ({ change, events: changes[index]?.derived ?? [] }));
  await insertDerived(trx, named);
  const versions = changes.flatMap(({ key, part, old }, index) =>
    old
      ? [
          {
            ...versionOf(trx, { connection, resource, key }, old),
            connection,
            change_seq: first + index,
            resource,
            key,
            part,
            valid_to: at,
          },
        ]
      : [],
  );
  await insertMany(trx, 'versions', versions);
  changes.forEach(({ key }, index) => seqs.set(key, first + index));
  return first;
}

/** Returns the origin of a change. A read for events of other keys can find more than they announced. */
function seenBy(events: readonly string[], origin: Origin): Origin {
  if (events.length > 0) return 'event';
  return origin === 'event' ? 'related' : origin;
}

function versionOf(
  trx: MirrorTrx,
  name: RowName,
  { raw, changed_at, read_number }: NonNullable<RecordedChange['old']>,
) {
  return { raw: sealedRaw(trx, name, raw), valid_from: changed_at, read_number };
}
