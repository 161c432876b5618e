import { systemClock } from '../../src/kernel/clock.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { signingKey, signWebhook } from '../../src/kernel/signature.ts';

const ids = ulidMaker(systemClock, systemRandom);

/**
 * Makes events as they arrive, each with the headers of its signature. Events of a kind that nobody knows lead to no read; of
 * a conversation, each leads to one.
 */
export function signedEvents(secret: string, count: number, leadsToReads: boolean) {
  const key = signingKey(secret);
  const now = systemClock.now();
  const timestamp = Math.floor(now / 1_000);
  const bodies: string[] = [];
  const bodyHeaders: Record<string, string>[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = ids();
    const body = JSON.stringify({
      event: leadsToReads ? 'message_created' : 'kind_to_come',
      event_id: id,
      timestamp: new Date(now).toISOString(),
      conversation_id: `conversation-${i}`,
      message_id: `message-${i}`,
    });
    bodies.push(body);
    bodyHeaders.push({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(key, id, timestamp, body),
    });
  }
  return { bodies, bodyHeaders };
}
