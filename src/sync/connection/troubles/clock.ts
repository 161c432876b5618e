import { readFact } from '../../tables/connection/facts.ts';
import type { MirrorDb } from '../../tables/database.ts';
import type { Trouble } from './trouble.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** Reports a clock that differs so much from the other side's that automations wait. */
export async function clockTroubles(db: MirrorDb, connection: string): Promise<Trouble[]> {
  const fact = await readFact(db, connection, 'clock');
  if (!fact) return [];
  const says = `the clock of this machine is not that of the other side: ours is ${apartText(Number(fact.value))}, and automations wait`;
  const remedy =
    'set it, best by NTP; they go on by themselves. Where the other side’s is wrong, raise automations.clock_tolerance_seconds';
  return [{ about: 'clock', level: 'alarm', says, remedy }];
}

/** @param aheadMs negative: behind */
export function apartText(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const side = aheadMs > 0 ? 'ahead' : 'behind';
  if (seconds < 2 * MINUTE_S) return `${seconds} s ${side}`;
  if (seconds < 2 * HOUR_S) return `${Math.round(seconds / MINUTE_S)} min ${side}`;
  return `${Math.round(seconds / HOUR_S)} h ${side}`;
}
