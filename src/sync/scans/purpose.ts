import type { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import type { Purpose } from '../../client/gate.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { ApplyContext } from '../apply/apply.ts';
import type { Origin } from '../tables/database.ts';
import type { ScanState } from '../tables/states.ts';
import type { Reading } from '../tables/rows/resource.ts';
import type { NamedRows } from '../apply/namedRows.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { Scan } from './scan.ts';

/** Why a scan is made. */
export type ScanPurpose =
  | 'first'
  | 'catch_up'
  | 'burst'
  | 'command'
  | 'rebuild'
  | 'verify'
  | 'reconcile'
  | 'reconcile_slow'
  | 'backfill';

/** How a scan's requests count, and who found what it finds. */
const purposes: Record<ScanPurpose, { asks: Purpose; origin: Origin }> = {
  first: { asks: 'backfill', origin: 'scan' },
  burst: { asks: 'scan', origin: 'scan' },
  command: { asks: 'scan', origin: 'command' },
  rebuild: { asks: 'scan', origin: 'command' },
  catch_up: { asks: 'catch_up', origin: 'catch_up' },
  verify: { asks: 'verify', origin: 'command' },
  reconcile: { asks: 'reconcile', origin: 'scan' },
  reconcile_slow: { asks: 'reconcile_slow', origin: 'scan' },
  backfill: { asks: 'backfill', origin: 'scan' },
};

/** How the requests of a scan count. */
export function asksAs(purpose: ScanPurpose): Purpose {
  return purposes[purpose].asks;
}

/** Who finds what the scan finds. */
export function originOf(purpose: ScanPurpose): Origin {
  return purposes[purpose].origin;
}

export interface ScanContext extends ApplyContext {
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

export interface ScanProgress {
  resource: string;
  /** Which part of it; left out: all. */
  part?: string;
  requests: number;
  rows: number;
}

export interface ScanResult extends ScanProgress {
  scanId: string;
  state: ScanState;
  /** Below this number no read of this scan was sent. */
  firstNumber: number;
  /** How many rows there are upstream, as its lists have shown. */
  total: number;
  problem: string | null;
  /** When it began (epoch milliseconds): what it has read is at least as new. */
  startedAt: number;
  /** Other kinds of rows that were read with these. */
  also?: readonly string[];
  /** Rows that could not be read and were quarantined. */
  quarantined?: number;
  /** What of the mirror was mended besides. */
  mended?: string;
  /** Upstream does not have what was to be read; see `mayBeAbsent` of the scan. */
  absent?: true;
}

/** What a scan reads, as its result says it. */
export function wordsOf({ resource, part, also }: Scan): Pick<ScanResult, 'resource' | 'part' | 'also'> {
  return {
    resource,
    ...(part !== undefined && { part }),
    ...(also && { also: also.map(({ name }) => name) }),
  };
}

/** A scan that came to nothing. */
export function failedScan(scan: Scan, error: CallError, startedAt: number): ScanResult {
  const nothing = { requests: 0, rows: 0, total: 0, firstNumber: 0, scanId: '' };
  return { ...nothing, ...wordsOf(scan), state: 'failed', problem: error.message, startedAt };
}
