import { turn } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Applied, apply, type ApplyContext, type Reading } from '../apply/apply.ts';
import { applyCalendars } from '../apply/applyCalendars.ts';
import { applyDays } from '../apply/applyDays.ts';
import type { Origin } from '../tables/database.ts';
import { following } from '../apply/following.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import { markKeys } from '../queue/markKeys.ts';
import type { Told } from './rebuild.ts';
import type { ScanContext } from './purpose.ts';
import type { Visitor } from './scan.ts';

const nobody: ReadonlySet<never> = new Set<never>();

/** The circumstances in which the answers of a scan are applied. */
export interface Applying {
  origin: Origin;
  /** Set if no other scan runs with it that would read the dependents of the rows that it finds changed. */
  isAlone: boolean;
  /** Returns true for rows that the mirror has lost and the feed has announced; left out: a missing row is new. */
  told?: Told | undefined;
}

/** Makes the visitor that applies the answers of a scan to the mirror. */
export function applying(context: ScanContext, { origin, isAlone, told }: Applying): Visitor {
  const toldOf = (resource: string) => told && ((key: string, part: string | null = null) => told(resource, key, part));
  let scanId: string | undefined;
  return {
    begin: (id) => void (scanId = id),
    async rows(resource, page, number) {
      const follow = following(context, resource, !isAlone, page.beside);
      const isTold = toldOf(resource.name);
      for (const applied of await applyWhatCan(context, {
        resource,
        page,
        number,
        origin,
        scanId,
        whole: [],
        follow,
        isTold,
      })) {
        context.named.asked(applied.following);
      }
      await turn();
    },
    async days(answer) {
      const closing = answer.end ? new Set(answer.properties.map(({ id }) => id)) : nobody;
      const marksBelow = answer.end?.since ?? answer.number;
      const { stale } = await applyDays(context, {
        answer,
        origin,
        scanId,
        marksBelow,
        closing,
        complete: answer.end?.complete ?? nobody,
        isTold: toldOf(AVAILABILITY),
      });
      // A look-up overtook this answer and read some of its nights only: the others are read again.
      const { from, to } = answer.range;
      const hint = { text: `${from}:${to}`, from, to };
      await markKeys(
        context,
        stale.map((id) => ({ resource: AVAILABILITY, key: String(id), hint })),
        origin,
      );
    },
    async calendars(answer) {
      const closing = answer.end ? new Set(answer.calendars.map(({ listing }) => listing)) : nobody;
      const marksBelow = answer.end?.since ?? answer.number;
      const { stale } = await applyCalendars(context, {
        answer,
        origin,
        scanId,
        marksBelow,
        closing,
        complete: answer.end?.complete ?? nobody,
        isTold: toldOf(CALENDAR),
      });
      const { from, to } = answer.range;
      const hint = { text: `${from}:${to}`, from, to };
      await markKeys(
        context,
        stale.map((key) => ({ resource: CALENDAR, key, hint })),
        origin,
      );
    },
  };
}

/**
 * Applies a page, or, if that fails, its rows one by one, so that the row at fault is quarantined and the others are
 * applied.
 */
async function applyWhatCan(context: ApplyContext, reading: Reading): Promise<Applied[]> {
  const { page } = reading;
  try {
    return [await apply(context, reading)];
  } catch (error) {
    const [row] = page.rows;
    if (!row) throw error;
    if (page.rows.length > 1) {
      const half = Math.ceil(page.rows.length / 2);
      const first = { ...page, rows: page.rows.slice(0, half) };
      const rest = { rows: page.rows.slice(half), quarantined: [] };
      return [
        ...(await applyWhatCan(context, { ...reading, page: first })),
        ...(await applyWhatCan(context, { ...reading, page: rest })),
      ];
    }
    const quarantined = [...page.quarantined, { key: row.key, problem: messageOf(error), rawText: row.rawText }];
    return [await apply(context, { ...reading, page: { rows: [], quarantined } })];
  }
}
