import { turn } from '../kernel/clock.ts';
import { IntList } from './intList.ts';

/** Stays processed before the event loop continues: a few milliseconds at most. */
const SLICE = 5_000;
/** Units examined in search of a free one before the event loop continues. */
const SEARCH_SLICE = 50_000;

/** A stay of a pool, a group of units of which the file names none. */
export interface StayToPlan {
  /** Data row of the file; 0 for a stay from elsewhere that is in `fixedUnit` already. */
  row: number;
  pool: string;
  /** Day numbers of the kernel. */
  checkIn: number;
  checkOut: number;
  /** false: a cancelled reservation, which gets a unit but no night. */
  holds: boolean;
  /** The unit where this stay is already, counted from 1. */
  fixedUnit?: number;
}

export interface UnitPlan {
  /** The numbers of the units that the file uses, by pool, ascending. A pool without a holding stay has unit 1. */
  units: ReadonlyMap<string, readonly number[]>;
  /** Returns the unit of a row: the planned one for a holding stay, or else one of the pool's in turn. */
  unitOf: (row: number, pool: string) => number;
}

/** Returns the name of the property for a pool's unit: `City Hotel 17`. */
export function unitName(pool: string, unit: number): string {
  return `${pool} ${unit}`;
}

/**
 * Plans units for stays so that no two share a night, with as few units as there are concurrent stays. In order of
 * arrival (on one day in the given order) each stay takes the lowest-numbered unit that is free for all its nights. The
 * same stays give the same plan.
 *
 * Stays that are in a unit already remain there. When planning from nothing puts them all where they are (the same file
 * again, or a run that was interrupted), that plan is taken, so a resumed import needs no further unit.
 */
export async function planUnits(stays: Iterable<StayToPlan> | AsyncIterable<StayToPlan>): Promise<UnitPlan> {
  const table = await gather(stays);
  const order = await orderOfArrival(table);
  const fresh = await assign(table, order, (stay) => table.rows.at(stay) === 0);
  if (keepsFixed(table, fresh)) return await planOf(table, fresh);
  return await planOf(table, await assign(table, order, (stay) => table.fixed.at(stay) > 0));
}

/** The holding stays, column by column. */
interface StayTable {
  rows: IntList;
  pools: IntList;
  checkIns: IntList;
  checkOuts: IntList;
  fixed: IntList;
  poolNumbers: Map<string, number>;
  /** Pools in which the file itself has rows. The others contain only stays from elsewhere. */
  ownPools: Set<string>;
}

async function gather(stays: Iterable<StayToPlan> | AsyncIterable<StayToPlan>): Promise<StayTable> {
  const columns = { rows: new IntList(), pools: new IntList(), checkIns: new IntList(), checkOuts: new IntList() };
  const table: StayTable = { ...columns, fixed: new IntList(), poolNumbers: new Map(), ownPools: new Set() };
  for await (const stay of stays) {
    const pool = table.poolNumbers.get(stay.pool) ?? table.poolNumbers.size;
    table.poolNumbers.set(stay.pool, pool);
    if (stay.row > 0) table.ownPools.add(stay.pool);
    if (!stay.holds) continue;
    table.rows.push(stay.row);
    table.pools.push(pool);
    table.checkIns.push(stay.checkIn);
    table.checkOuts.push(stay.checkOut);
    table.fixed.push(stay.fixedUnit ?? 0);
  }
  return table;
}

/** Returns the indexes of stays by check-in. It uses buckets, since a sort by comparison would block the event loop. */
async function orderOfArrival({ checkIns }: StayTable): Promise<number[]> {
  const byDay = new Map<number, number[]>();
  for (let stay = 0; stay < checkIns.length; stay += 1) {
    const arrivals = byDay.get(checkIns.at(stay));
    if (arrivals) arrivals.push(stay);
    else byDay.set(checkIns.at(stay), [stay]);
    if (stay % SLICE === 0) await turn();
  }
  const days = [...byDay.keys()].toSorted((a, b) => a - b);
  return days.flatMap((day) => byDay.get(day) ?? []);
}

/** A unit while its calendar fills up, in order of arrival. */
interface Unit {
  /** Check-out of the last stay put into it. */
  freeFrom: number;
  /** Stays that remain in it in any case, by check-in. `next` is the first that can still matter. */
  pinned: { checkIn: number; checkOut: number }[];
  next: number;
}

/** @returns the unit number of each stay */
async function assign(
  table: StayTable,
  order: readonly number[],
  isPinned: (stay: number) => boolean,
): Promise<Int32Array> {
  const pools = [...table.poolNumbers].map((): Unit[] => []);
  const numbers = new Int32Array(table.rows.length);
  for (const [index, stay] of order.entries()) {
    if (isPinned(stay)) numbers[stay] = pin(table, stay, unitsOf(table, stay, pools));
    if (index % SLICE === 0) await turn();
  }
  let work = 0;
  for (const stay of order) {
    if (isPinned(stay)) continue;
    const number = place(unitsOf(table, stay, pools), table.checkIns.at(stay), table.checkOuts.at(stay));
    numbers[stay] = number;
    work += number;
    if (work < SEARCH_SLICE) continue;
    work = 0;
    await turn();
  }
  return numbers;
}

function unitsOf(table: StayTable, stay: number, pools: readonly Unit[][]): Unit[] {
  return pools[table.pools.at(stay)] ?? [];
}

function pin(table: StayTable, stay: number, units: Unit[]): number {
  const number = table.fixed.at(stay);
  while (units.length < number) units.push(emptyUnit());
  units[number - 1]?.pinned.push({ checkIn: table.checkIns.at(stay), checkOut: table.checkOuts.at(stay) });
  return number;
}

/** Puts a stay into the lowest-numbered free unit, or a new one when none is free. */
function place(units: Unit[], checkIn: number, checkOut: number): number {
  let index = units.findIndex((unit) => isFree(unit, checkIn, checkOut));
  if (index < 0) index = units.push(emptyUnit()) - 1;
  const unit = units[index];
  if (unit) unit.freeFrom = checkOut;
  return index + 1;
}

function isFree(unit: Unit, checkIn: number, checkOut: number): boolean {
  if (unit.freeFrom > checkIn) return false;
  let pinned = unit.pinned[unit.next];
  while (pinned && pinned.checkOut <= checkIn) {
    unit.next += 1;
    pinned = unit.pinned[unit.next];
  }
  return !pinned || pinned.checkIn >= checkOut;
}

function emptyUnit(): Unit {
  return { freeFrom: Number.NEGATIVE_INFINITY, pinned: [], next: 0 };
}

function keepsFixed({ fixed }: StayTable, numbers: Int32Array): boolean {
  return numbers.every((number, stay) => fixed.at(stay) === 0 || fixed.at(stay) === number);
}

async function planOf(table: StayTable, numbers: Int32Array): Promise<UnitPlan> {
  const inUse = [...table.poolNumbers].map(() => new Set<number>());
  const byRow = new Int32Array(1 + lastRow(table));
  for (let stay = 0; stay < numbers.length; stay += 1) {
    const [row, number] = [table.rows.at(stay), numbers[stay] ?? 0];
    if (stay % SLICE === 0) await turn();
    if (row === 0) continue;
    byRow[row] = number;
    inUse[table.pools.at(stay)]?.add(number);
  }
  const units = new Map(
    [...table.ownPools].map((pool) => [pool, listed(inUse[table.poolNumbers.get(pool) ?? -1])] as const),
  );
  return {
    units,
    unitOf(row, pool) {
      const planned = byRow[row];
      if (planned) return planned;
      const choice = units.get(pool) ?? [1];
      return choice[(row - 1) % choice.length] ?? 1;
    },
  };
}

function listed(numbers: ReadonlySet<number> = new Set()): number[] {
  return numbers.size === 0 ? [1] : [...numbers].toSorted((a, b) => a - b);
}

function lastRow({ rows }: StayTable): number {
  let last = 0;
  for (let stay = 0; stay < rows.length; stay += 1) last = Math.max(last, rows.at(stay));
  return last;
}
