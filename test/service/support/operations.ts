import { addDays, instantOf } from '../../../src/kernel/dates.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { call, type TestService } from '../../support/service.ts';

const PROPERTIES = 4;
const DAYS_AHEAD = 300;

interface Known {
  stays: { stay_code: string; reservation_code: string }[];
  transactions: number[];
}

/** How many operations of each kind were done; a refused one (the nights are taken) counts as such. */
export type Done = Record<string, number>;

/** Random work on an account, the same for the same seed but for the codes that the core draws. */
export async function randomOperations(
  service: Pick<TestService, 'url' | 'secret' | 'token' | 'v3' | 'portal' | 'settled'>,
  count: number,
  seed: number,
): Promise<Done> {
  const random = seededDice(seed).fraction;
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const today = instantOf(Date.now()).slice(0, 10);
  const done: Done = {};
  const known: Known = { stays: [], transactions: [] };
  const properties: number[] = [];
  for (let i = 0; i < PROPERTIES; i += 1) {
    properties.push((await service.v3('POST', '/properties', { name: `House ${seed}/${i}` })).property_id);
  }
  const [income] = (await service.v3('GET', '/income_items')).income_items;
  const [method] = (await service.v3('GET', '/income_methods')).income_methods;
  // Properties and their calendars are found by scans only; from here on events tell of everything.
  await service.settled();
  await service.portal('POST', '/portal/reconcile', {});

  const send = async (kind: string, verb: string, path: string, body?: object): Promise<any> => {
    const answer = await call(service, verb, `/v3${path}`, { token: service.token, ...(body && { body }) });
    const code: unknown = answer.json?.error_code;
    if (code !== 200 && code !== 409 && code !== 400) throw new Error(`${kind}: ${answer.http} ${answer.text}`);
    const outcome = code === 200 ? kind : `${kind} refused`;
    done[outcome] = (done[outcome] ?? 0) + 1;
    return code === 200 ? answer.json.data : undefined;
  };
  const dates = () => {
    const checkIn = addDays(today, Math.floor(random() * DAYS_AHEAD));
    return { check_in_date: checkIn, check_out_date: addDays(checkIn, 1 + Math.floor(random() * 5)) };
  };
  const amount = () => (100 + Math.floor(random() * 50_000)) / 100;
  const kinds: Record<string, () => Promise<void>> = {
    async book() {
      const data = await send('book', 'POST', '/reservations', {
        property_id: pick(properties),
        ...dates(),
        guest_name: `Guest ${Math.floor(random() * 1e6)}`,
        rate_amount: amount(),
        commission_amount: 0,
        received_amount: random() < 0.5 ? 0 : amount(),
      });
      if (!data) return;
      const { reservation_code } = data;
      const list = await service.v3('GET', `/reservations?reservation_code=${reservation_code}`);
      known.stays.push({ reservation_code, stay_code: list.reservations[0].stay_code });
    },
    async move() {
      const stay = pick(known.stays);
      if (stay) await send('move', 'PATCH', `/reservations/${stay.stay_code}`, dates());
    },
    async reprice() {
      const stay = pick(known.stays);
      if (!stay) return;
      const body = { rate_amount: amount(), guest_name: `Guest ${Math.floor(random() * 1e6)}` };
      await send('reprice', 'PATCH', `/reservations/${stay.stay_code}`, body);
    },
    async checkIn() {
      const stay = pick(known.stays);
      if (!stay) return;
      const body = { lock_code: String(Math.floor(random() * 1e4)), deposit: Math.floor(random() * 100) };
      await send('checkIn', 'PATCH', `/reservations/${stay.stay_code}/check_in_details`, body);
    },
    async cancel() {
      const stay = known.stays.splice(Math.floor(random() * known.stays.length), 1)[0];
      if (stay) await send('cancel', 'DELETE', `/reservations/${stay.reservation_code}`);
    },
    async post() {
      const body = { direction: 'income', amount: amount(), item_id: income.id, payment_method_id: method.id };
      const stay = random() < 0.7 ? pick(known.stays) : undefined;
      const link = stay
        ? { reservation_code: stay.reservation_code }
        : { property_id: pick(properties), currency: 'EUR' };
      const data = await send('post', 'POST', '/transactions', { ...body, ...link });
      if (data) known.transactions.push(data.transaction_id);
    },
    async editEntry() {
      const id = pick(known.transactions);
      if (id !== undefined) await send('editEntry', 'PATCH', `/transactions/${id}`, { amount: amount() });
    },
    async deleteEntry() {
      const [id] = known.transactions.splice(Math.floor(random() * known.transactions.length), 1);
      if (id !== undefined) await send('deleteEntry', 'DELETE', `/transactions/${id}`);
    },
  };
  const weighted = [
    'book',
    'book',
    'book',
    'move',
    'move',
    'reprice',
    'checkIn',
    'cancel',
    'post',
    'post',
    'editEntry',
    'deleteEntry',
  ];
  for (let i = 0; i < count; i += 1) await kinds[pick(weighted) ?? 'book']?.();
  return done;
}
