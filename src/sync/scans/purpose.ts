import type { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import type { Purpose } from '../../client/gate.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { ApplyContext } from '../apply/apply.ts';
import type { Origin, WalkState } from '../tables/database.ts';
import type { Reading } from '../tables/rows/resource.ts';
import type { NamedRows } from '../apply/namedRows.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { Walk } from './walk.ts';

/** Why a walk is made. */
export type WalkPurpose =
  | 'first'
  | 'catch_up'
  | 'burst'
  | 'command'
  | 'rebuild'
  | 'verify'
  | 'sweep'
  | 'slow_sweep'
  | 'backfill';

/** How a walk's requests count, and who found what it finds. */
const purposes: Record<WalkPurpose, { asks: Purpose; origin: Origin }> = {
  first: { asks: 'backfill', origin: 'walk' },
  burst: { asks: 'walk', origin: 'walk' },
  command: { asks: 'walk', origin: 'command' },
  rebuild: { asks: 'walk', origin: 'command' },
  catch_up: { asks: 'catch_up', origin: 'catch_up' },
  verify: { asks: 'verify', origin: 'command' },
  sweep: { asks: 'sweep', origin: 'walk' },
  slow_sweep: { asks: 'slow_sweep', origin: 'walk' },
  backfill: { asks: 'backfill', origin: 'walk' },
};

/** How the requests of a walk count. */
export function asksAs(purpose: WalkPurpose): Purpose {
  return purposes[purpose].asks;
}

/** Who finds what the walk finds. */
export function originOf(purpose: WalkPurpose): Origin {
  return purposes[purpose].origin;
}

export interface WalkContext extends ApplyContext {
  /** Tries again by itself. */
  client: Client;
  numbers: ReadNumbers;
  named: NamedRows;
  ids: IdMaker;
  log: Logger;
  historyFrom: string;
  zone(): string;
  /** How what is read becomes rows. */
  reading(): Reading;
  signal: AbortSignal;
}

export interface WalkProgress {
  resource: string;
  /** Which part of it; left out: all. */
  part?: string;
  requests: number;
  rows: number;
}

export interface WalkResult extends WalkProgress {
  walkId: string;
  state: WalkState;
  /** Below this number no read of this walk was sent. */
  firstNumber: number;
  /** How many rows there are upstream, as its lists have shown. */
  total: number;
  problem: string | null;
  /** When it began (epoch milliseconds): what it has read is at least as new. */
  startedAt: number;
  /** Other kinds of rows that were read with these. */
  also?: readonly string[];
  /** Rows that could not be read and were set aside. */
  setAside?: number;
  /** What of the mirror was mended besides. */
  mended?: string;
  /** Upstream does not have what was to be read; see `mayBeAbsent` of the walk. */
  absent?: true;
}

/** What a walk reads, as its result says it. */
export function wordsOf({ resource, part, also }: Walk): Pick<WalkResult, 'resource' | 'part' | 'also'> {
  return {
    resource,
    ...(part !== undefined && { part }),
    ...(also && { also: also.map(({ name }) => name) }),
  };
}

/** A walk that came to nothing. */
export function failedWalk(walk: Walk, error: CallError, startedAt: number): WalkResult {
  const nothing = { requests: 0, rows: 0, total: 0, firstNumber: 0, walkId: '' };
  return { ...nothing, ...wordsOf(walk), state: 'failed', problem: error.message, startedAt };
}
