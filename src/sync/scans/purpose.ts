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

/** The reason for a scan. */
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

/** The class of a scan's requests, and the origin of the changes that it finds. */
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

/** Returns the class in which the requests of a scan count. */
export function asksAs(purpose: ScanPurpose): Purpose {
  return purposes[purpose].asks;
}

/** Returns the origin of the changes that a scan finds. */
export function originOf(purpose: ScanPurpose): Origin {
  return purposes[purpose].origin;
}

export interface ScanContext extends ApplyContext {
  /** Retries by itself. */
  client: Client;
  numbers: ReadNumbers;
  named: NamedRows;
  ids: IdMaker;
  log: Logger;
  historyFrom: string;
  zone(): string;
  /** Returns the settings for making rows of answers. */
  reading(): Reading;
  signal: AbortSignal;
}

export interface ScanProgress {
  resource: string;
  /** The part of the resource; left out: all. */
  part?: string;
  requests: number;
  rows: number;
}

/** The result of one scan. */
export interface ScanResult extends ScanProgress {
  scanId: string;
  state: ScanState;
  /** Below this number no read of this scan was sent. */
  firstNumber: number;
  /** The number of rows upstream, as its lists have shown. */
  total: number;
  problem: string | null;
  /** The moment when it began (epoch milliseconds): the rows that it has read are at least as new. */
  startedAt: number;
  /** Other kinds of rows that were read with these. */
  also?: readonly string[];
  /** Rows that could not be read and were quarantined. */
  quarantined?: number;
  /** A description of further repairs to the mirror. */
  mended?: string;
  /** Set if upstream does not have the list; see `mayBeAbsent` of the scan. */
  absent?: true;
}

/** Returns the names that a scan's result reports. */
export function wordsOf({ resource, part, also }: Scan): Pick<ScanResult, 'resource' | 'part' | 'also'> {
  return {
    resource,
    ...(part !== undefined && { part }),
    ...(also && { also: also.map(({ name }) => name) }),
  };
}

/** Returns the result of a scan that failed. */
export function failedScan(scan: Scan, error: CallError, startedAt: number): ScanResult {
  const nothing = { requests: 0, rows: 0, total: 0, firstNumber: 0, scanId: '' };
  return { ...nothing, ...wordsOf(scan), state: 'failed', problem: error.message, startedAt };
}
