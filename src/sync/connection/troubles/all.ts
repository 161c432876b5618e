import type { MirrorDb } from '../../tables/database.ts';
import { clockTroubles } from './clock.ts';
import { deliveryTroubles } from './deliveries.ts';
import { goneConversationTroubles } from './goneConversations.ts';
import { readingTroubles } from './reading.ts';
import type { Trouble } from './trouble.ts';
import { unknownFieldTroubles } from './unknownFields.ts';
import { webhookTroubles } from './webhook.ts';

/** Returns the troubles of a connection that the mirror knows and a person should know. */
export async function troublesOf(db: MirrorDb, connection: string, nowMs: number): Promise<Trouble[]> {
  const found = [
    await deliveryTroubles(db, connection, nowMs),
    await webhookTroubles(db, connection),
    await readingTroubles(db, connection, nowMs),
    await goneConversationTroubles(db, connection),
    await unknownFieldTroubles(db, connection),
    await clockTroubles(db, connection),
  ];
  return found.flat();
}
