import { turn } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Applied, apply, type ApplyContext, type Reading } from '../apply/apply.ts';
import { applyCalendars } from '../apply/applyCalendars.ts';
import { applyDays } from '../apply/applyDays.ts';
import type { Origin } from '../tables/database.ts';
import { following } from '../apply/following.ts';
import { AVAILABILITY, type DaysAnswer } from '../tables/listings/availability.ts';
import { CALENDAR, type CalendarsAnswer } from '../tables/listings/calendar.ts';
import { markKeys } from '../queue/markKeys.ts';
import type { IsAnnounced } from './rebuild.ts';
import type { ScanContext } from './purpose.ts';
import type { DateRange } from '../tables/rows/dateHints.ts';
import type { MirrorResource, Page } from '../tables/rows/resource.ts';
import type { Visitor } from './scan.ts';

const nobody: ReadonlySet<never> = new Set<never>();

/** The circumstances in which the answers of a scan are applied. */
export interface Applying {
  origin: Origin;
  /** Set if no other scan runs with it that would read the dependents of the rows that it finds changed. */
  isAlone: boolean;
  /** Returns true for rows that the mirror has lost and the feed has announced; left out: a missing row is new. */
  announced?: IsAnnounced | undefined;
}

/** Applies the answers of a scan to the mirror. */
export class ApplyingVisitor implements Visitor {
  readonly #context: ScanContext;
  readonly #applying: Applying;
  #scanId: string | undefined;

  constructor(context: ScanContext, applying: Applying) {
    this.#context = context;
    this.#applying = applying;
  }

  begin(scanId: string): void {
    this.#scanId = scanId;
  }

  async rows(resource: MirrorResource, page: Page, number: number): Promise<void> {
    const { origin, isAlone } = this.#applying;
    const follow = following(this.#context, resource, !isAlone, page.beside);
    const reading = { resource, page, number, origin, scanId: this.#scanId, whole: [], follow };
    for (const applied of await applyWhatCan(this.#context, {
      ...reading,
      isAnnounced: this.#announced(resource.name),
    })) {
      this.#context.named.asked(applied.following);
    }
    await turn();
  }

  async days(answer: DaysAnswer): Promise<void> {
    const closing = answer.end ? new Set(answer.properties.map(({ id }) => id)) : nobody;
    const { stale } = await applyDays(this.#context, {
      ...this.#rangeReading(answer, AVAILABILITY),
      answer,
      closing,
      complete: answer.end?.complete ?? nobody,
    });
    await this.#readAgain(AVAILABILITY, stale.map(String), answer.range);
  }

  async calendars(answer: CalendarsAnswer): Promise<void> {
    const closing = answer.end ? new Set(answer.calendars.map(({ listing }) => listing)) : nobody;
    const { stale } = await applyCalendars(this.#context, {
      ...this.#rangeReading(answer, CALENDAR),
      answer,
      closing,
      complete: answer.end?.complete ?? nobody,
    });
    await this.#readAgain(CALENDAR, stale, answer.range);
  }

  #rangeReading(answer: DaysAnswer | CalendarsAnswer, resource: string) {
    return {
      origin: this.#applying.origin,
      scanId: this.#scanId,
      marksBelow: answer.end?.since ?? answer.number,
      isAnnounced: this.#announced(resource),
    };
  }

  /** A look-up overtook the answer and read some of its nights only: the others are read again. */
  async #readAgain(resource: string, keys: readonly string[], { from, to }: DateRange): Promise<void> {
    const hint = { text: `${from}:${to}`, from, to };
    await markKeys(
      this.#context,
      keys.map((key) => ({ resource, key, hint })),
      this.#applying.origin,
    );
  }

  #announced(resource: string) {
    const { announced } = this.#applying;
    return announced && ((key: string, part: string | null = null) => announced(resource, key, part));
  }
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
