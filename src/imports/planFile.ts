import { dayNumber, type PlainDate } from '../kernel/dates.ts';
import type { Mapping } from './mapping.ts';
import { holds, type Booking, type Outcome, type ReadingContext } from './outcome.ts';
import { planUnits, type StayToPlan, type UnitPlan } from './planUnits.ts';
import { openReservations, type ReservationFile } from './readReservations.ts';
import { countTotals, type Totals } from './totals.ts';

/** A stay in a unit of a pool, with its stored dates. */
export interface StandingStay {
  unit: number;
  checkIn: PlainDate;
  checkOut: PlainDate;
}

export interface PlanOptions {
  context?: ReadingContext;
  /**
   * Returns the nights that a reservation imported earlier occupies now; `nothing` when it was cancelled or has left
   * the pool since. undefined: not imported yet.
   */
  known?: (booking: Booking, pool: string) => StandingStay | 'nothing' | undefined;
  /**
   * Other stays in units of the pools: direct reservations made since, and reservations moved from one pool to another.
   * Their nights are not planned over. It is read after the file.
   */
  others?: Iterable<StandingStay & { pool: string }>;
  /**
   * Receives every outcome in the order of the file, with the file's progress; for the rejects file and progress
   * reports.
   */
  onOutcome?: (outcome: Outcome, file: Pick<ReservationFile, 'size' | 'bytesRead'>) => void | Promise<void>;
}

interface FilePlan {
  plan: UnitPlan;
  totals: Totals;
}

/**
 * Runs the first pass of an import: reads the whole file, stores nothing, and finds the unit of every row. Throws an
 * OperatorError when the file cannot be read to its end, so that no import begins that cannot finish.
 */
export async function planFile(path: string, mapping: Mapping, options: PlanOptions = {}): Promise<FilePlan> {
  const file = await openReservations(path, mapping, options.context);
  const totals = countTotals();
  const plan = await planUnits(staysOf(file, totals.add, options));
  return { plan, totals: totals.read() };
}

async function* staysOf(
  file: ReservationFile,
  count: (outcome: Outcome) => void,
  { known, others = [], onOutcome }: PlanOptions,
): AsyncGenerator<StayToPlan> {
  for await (const outcome of file.outcomes) {
    count(outcome);
    if (onOutcome) await onOutcome(outcome, file);
    if (outcome.kind === 'rejection' || !('group' in outcome.place)) continue;
    const pool = outcome.place.group;
    const standing = known?.(outcome, pool);
    if (standing === 'nothing') continue;
    if (standing) yield { row: outcome.row, pool, ...fixedAt(standing) };
    else yield { row: outcome.row, pool, ...daysOf(outcome), holds: holds(outcome) };
  }
  for (const other of others) yield { row: 0, pool: other.pool, ...fixedAt(other) };
}

function daysOf({ checkIn, checkOut }: Pick<StandingStay, 'checkIn' | 'checkOut'>) {
  return { checkIn: dayNumber(checkIn), checkOut: dayNumber(checkOut) };
}

function fixedAt(stay: StandingStay) {
  return { ...daysOf(stay), holds: true, fixedUnit: stay.unit };
}
