import fastify from 'fastify';
import { systemClock } from '../src/kernel/clock.ts';
import { ulidMaker } from '../src/kernel/ids.ts';
import { systemRandom } from '../src/kernel/random.ts';
import { sealer } from '../src/kernel/seal.ts';
import { signingKey, signWebhook } from '../src/kernel/signature.ts';
import { secretKey } from '../src/compose/privateFiles.ts';
import { secretContext } from '../src/sync/registerWebhook.ts';
import { quietService } from './support/service.ts';
import { alternate, median, sendLoad, verdict } from './support/measure.ts';

/**
 * P1: events acknowledged durably through POST /hooks/local of the whole service, 50 connections, against a bare
 * fastify POST. Bodies and signatures are made beforehand; the loader is a process of its own. The events are of
 * a kind that names nothing to read, so that what is measured is the acknowledgement alone.
 */
const ROUNDS = 5;
const CONNECTIONS = 50;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
/** More than a round can send, so that none is sent twice: a known event is cheaper than a new one. */
const PER_SECOND = { kept: 25_000, fresh: 6_000 };
const P99_MS = 13;

const service = await quietService();
const [row] = await service.rows(`select webhook_secret from mirror.connections where connection = 'local'`);
const seal = sealer(secretKey(service.dataDir, null, systemRandom), systemRandom);
const secret = seal.open(String(row?.['webhook_secret']), secretContext('local'));
const key = signingKey(secret);
const ids = ulidMaker(systemClock, systemRandom);

const bare = fastify();
bare.post('/hooks/local', (_request, reply) => reply.send(''));
const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 });

for (const { what, fresh } of [
  { what: 'P1 events acknowledged, 50 connections', fresh: false },
  { what: 'P1 a fresh connection per event', fresh: true },
]) {
  const tails: number[] = [];
  const run = async (base: string, ours: boolean): Promise<number> => {
    const count = (fresh ? PER_SECOND.fresh : PER_SECOND.kept) * (SECONDS + WARM_UP_SECONDS);
    const result = await sendLoad({
      url: `${base}/hooks/local`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-webhook-secret-token': secret },
      ...signedEvents(count),
      connections: CONNECTIONS,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
      fresh,
    });
    if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} were refused`);
    if (ours) tails.push(result.p99);
    return result.perSecond;
  };
  const result = await alternate(
    ROUNDS,
    () => run(bareUrl, false),
    () => run(service.url, true),
  );
  const p99 = median(tails);
  const tail = fresh ? '' : `; p99 ${p99.toFixed(1)} ms, goal ${P99_MS}: ${p99 < P99_MS ? 'met' : 'missed'}`;
  process.stdout.write(`${verdict(what, 0.6, result, '/s')}${tail}\n`);
}
await bare.close();
await service.remove();

function signedEvents(count: number) {
  const now = systemClock.now();
  const timestamp = Math.floor(now / 1_000);
  const bodies: string[] = [];
  const bodyHeaders: Record<string, string>[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = ids();
    const body = JSON.stringify({
      event: 'message_created',
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
