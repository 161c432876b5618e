import {
  NotFoundError,
  type PropertyTag,
  RateLimitedError,
  Stayd,
  StaydConnectionError,
  StaydError,
  ValidationError,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookRequest,
} from 'stayd-sdk';

/** Does with the TypeScript SDK what the other programs beside it do, and prints what it has seen. */
const { baseUrl, token, secret, delivery } = JSON.parse(process.argv[2] ?? '') as {
  baseUrl: string;
  token: string;
  secret: string;
  delivery: { secret: string; headers: Record<string, string>; body: string };
};

const waits: number[] = [];
const sleep = async (ms: number) => {
  waits.push(ms);
  await faults({});
};
const stayd = new Stayd({ baseUrl, token, sleep });

const { property_id } = await stayd.createProperty({ name: 'Sea View' });
const names = Array.from({ length: 105 }, (_, index) => `Tag ${index}`);
for (const name of names) await stayd.createPropertyTag({ name });
const tags: PropertyTag[] = [];
for await (const tag of stayd.iteratePropertyTags()) tags.push(tag);

const booked = await stayd.createReservation({
  property_id,
  check_in_date: '2027-03-05',
  check_out_date: '2027-03-08',
  guest_name: 'Zoë & Co',
  rate_amount: 300,
  commission_amount: 0,
  received_amount: 0,
  currency: 'EUR',
});
const code = booked.reservation_code;
const { reservations } = await stayd.listReservations({ reservation_code: code });
await stayd.updateReservation({ code, note: 'späte Ankunft' });
const { reservations: changed } = await stayd.listReservations({ property_id });
const nothing = await stayd.cancelReservation({ code });

const unknown = await failureOf(stayd.getConversation({ conversation_id: 'none/such' }));
const invalid = await failureOf(stayd.createReservation({ ...({} as Parameters<Stayd['createReservation']>[0]) }));
const stranger = await failureOf(new Stayd({ baseUrl, token: 'wrong' }).getAccount());
const nobody = new Stayd({ baseUrl: 'http://127.0.0.1:1', token, maxRetries: 0 });
const unreachable = await failureOf(nobody.getAccount());

await faults({ limit: 1 });
await stayd.getAccount();
const limitWaits = waits.splice(0);
await faults({ limit: 1 });
const impatient = await failureOf(new Stayd({ baseUrl, token, sleep, maxWaitSeconds: 0.5 }).getAccount());
await faults({ cut: 1 });
await stayd.createPropertyGroup({ name: 'Made once' });
const repeats = waits.splice(0).length;
await faults({ cut: 1 });
const notRepeated = await failureOf(stayd.updateReservation({ code, note: 'once' }));
await faults({});
const { groups } = await stayd.listPropertyGroups();

const received: WebhookRequest = { ...delivery, requireSignature: true };
const event = await verifyWebhook(received);
const { 'webhook-signature': _, ...unsigned } = delivery.headers;
const later = () => Date.now() + 301_000;
const tokenOnly = { ...delivery, headers: unsigned };

console.log(
  JSON.stringify({
    tags: tags.map(({ name }) => name).toSorted(),
    booked: reservations.map(({ guest_name, property_id: at }) => ({ guest_name, is_here: at === property_id })),
    note: changed[0]?.note,
    nothing: nothing ?? null,
    failures: [unknown, invalid, stranger, unreachable, impatient, notRepeated],
    is_typed: [
      new NotFoundError('', { code: 404, operation: '', requestId: '' }) instanceof StaydError,
      RateLimitedError.prototype instanceof StaydError,
      ValidationError.prototype instanceof StaydError,
    ],
    limit_waits: limitWaits,
    repeats,
    groups: groups.map(({ name }) => name),
    event: event.event === 'reservation_created' ? event.reservation_code : event.event,
    by_token: (await verifyWebhook(tokenOnly)).event,
    refused: await Promise.all([
      refused({ ...delivery, body: delivery.body.replace('reservation', 'Reservation') }),
      refused({ ...delivery, secret: 'whsec_AAAA' }),
      refused({ ...delivery, now: later }),
      refused({ ...tokenOnly, requireSignature: true }),
      refused({ ...delivery, headers: {} }),
      refused({ ...delivery, secret: '' }),
    ]),
  }),
);

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof StaydConnectionError) return { class: error.name };
    if (!(error instanceof StaydError)) throw error;
    const { name, code: errorCode, operation, requestId } = error;
    return { class: name, code: errorCode, operation, has_id: requestId !== '' };
  }
}

async function refused(request: WebhookRequest): Promise<boolean> {
  try {
    await verifyWebhook(request);
    return false;
  } catch (error) {
    return error instanceof WebhookVerificationError;
  }
}

async function faults(answers: object): Promise<void> {
  const headers = { 'stayd-control-secret': secret, 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/portal/faults`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ answers }),
  });
  if (!response.ok) throw new Error(await response.text());
}
