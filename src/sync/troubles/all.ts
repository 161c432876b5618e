import type { MirrorDb } from '../database.ts';
import { deliveryTroubles } from './deliveries.ts';
import type { Trouble } from './trouble.ts';

/** Everything about a connection that a person should know, as far as the mirror tells it. */
export async function troublesOf(db: MirrorDb, connection: string, nowMs: number): Promise<Trouble[]> {
  return deliveryTroubles(db, connection, nowMs);
}
