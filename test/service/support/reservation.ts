import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Environment } from '../../../src/config.ts';
import { addDays, instantOf } from '../../../src/kernel/dates.ts';
import { call, newToken, startTestService, type TestService, until } from '../../support/service.ts';
import { assertSameRows } from './sameRows.ts';

/** One service, its core's tables on one side and its mirror's on the other; the same for both databases. */
export function describeReservations(name: string, surroundings: () => Promise<Environment>): void {
  describe(name, () => {
    let service: TestService;
    let property: number;
    const today = instantOf(Date.now()).slice(0, 10);

    before(async () => {
      service = await startTestService(await surroundings());
      property = (await service.v3('POST', '/properties', { name: 'House' })).property_id;
      await service.settled();
      await service.portal('POST', '/portal/reconcile', {});
    });
    after(() => service.remove());

    /** Nights are counted from today on. */
    const book = async (night: number, more: object = {}): Promise<string> => {
      const { reservation_code } = await service.v3('POST', '/reservations', {
        property_id: property,
        check_in_date: addDays(today, night),
        check_out_date: addDays(today, night + 2),
        guest_name: 'Ada Lovelace',
        email: 'ada@example.org',
        mobile: '+49 170 1234567',
        number_of_guests: 2,
        rate_amount: 240.5,
        commission_amount: 12.25,
        received_amount: 100,
        ...more,
      });
      return reservation_code;
    };
    const stayOf = async (code: string): Promise<string> =>
      (await service.v3('GET', `/reservations?reservation_code=${code}`)).reservations[0].stay_code;
    const head = async (): Promise<number> =>
      Number((await service.rows('select max(seq) as seq from mirror.changes'))[0]?.['seq'] ?? 0);
    const changesAfter = async (seq: number) =>
      (await service.portal('GET', `/mirror/changes?after=${seq}&limit=1000`)).changes as {
        seq: number;
        resource: string;
        key: string;
        op: string;
        seen_by: string;
        event_ids: string[];
        diff: unknown;
      }[];

    it('a booking posted over HTTP stands in the mirror and in the change feed', async () => {
      const from = await head();
      // Nothing received: the event of a ledger entry could have the booking read before its own event comes.
      const code = await book(10, { received_amount: 0 });
      await service.settled();
      const [row] = await service.rows(`select * from mirror.reservations where reservation_code = '${code}'`);
      assert.equal(row?.['status'], 'accepted');
      assert.equal(row['total_rate_minor'], 24_050);
      assert.equal(row['received_minor'], 0);
      const changes = await changesAfter(from);
      const created = changes.find((change) => change.resource === 'reservation' && change.key === code);
      assert.equal(created?.op, 'created');
      assert.equal(created.seen_by, 'event');
      const events = await service.rows(
        `select event_id from core.outbox where event = 'reservation_created' and body like '%${code}%'`,
      );
      assert.deepEqual(
        created.event_ids,
        events.map((event) => event['event_id']),
      );
      assert.ok(changes.some((change) => change.resource === 'availability'));
    });

    it('changes, a cancellation, ledger edits and check-in details: every field of both halves is the same', async () => {
      const [one, two, three] = [await book(20), await book(30), await book(40, { received_amount: 0 })];
      const stay = await stayOf(one);
      await service.v3('PATCH', `/reservations/${stay}`, {
        check_in_date: addDays(today, 21),
        check_out_date: addDays(today, 25),
        guest_name: 'Grace Hopper',
        rate_amount: 480,
        number_of_guests: 3,
        note: 'late',
      });
      await service.v3('PATCH', `/reservations/${stay}/check_in_details`, {
        arrival_at: { hour: 15, minute: 30 },
        lock_code: '4711',
        deposit: 50,
        id_required: 'required',
      });
      await service.v3('DELETE', `/reservations/${two}`);
      const [income] = (await service.v3('GET', '/income_items')).income_items;
      const [method] = (await service.v3('GET', '/income_methods')).income_methods;
      const post = async (amount: number) =>
        (
          await service.v3('POST', '/transactions', {
            direction: 'income',
            amount,
            item_id: income.id,
            payment_method_id: method.id,
            reservation_code: three,
          })
        ).transaction_id as number;
      const [kept, gone] = [await post(70), await post(30)];
      await service.settled();
      // Deleted before it was ever read, it would leave no trace at all.
      await service.settled();
      await service.v3('PATCH', `/transactions/${kept}`, { amount: 71.5, note: 'counted again' });
      await service.v3('DELETE', `/transactions/${gone}`);
      // Gone before it is read: a booking read in between may have counted it in.
      await service.v3('DELETE', `/transactions/${await post(5)}`);
      await service.settled();

      const counts = await assertSameRows(service.rows);
      assert.equal(counts['stays'], 4);
      assert.equal(counts['transactions'], 3);
      assert.ok((await changesAfter(0)).some((change) => change.resource === 'transaction' && change.op === 'created'));
      assert.ok((counts['taken days'] ?? 0) >= 8);
      const [tombstone] = await service.rows(`select deleted_at from mirror.transactions where id = ${gone}`);
      assert.ok(typeof tombstone?.['deleted_at'] === 'string', 'the deleted entry has a tombstone');
      const [{ received_minor: received } = {}] = await service.rows(
        `select received_minor from mirror.reservations where reservation_code = '${three}'`,
      );
      assert.equal(received, 7_150);
    });

    it('verify finds it clean, and finds a row that somebody bent', async () => {
      const report = await service.portal('POST', '/portal/verify', {});
      assert.equal(report.clean, true, JSON.stringify(report));
      assert.ok(report.compared > 0);
      const bent = await bendOneStay(service);
      const second = await service.portal('POST', '/portal/verify', {});
      assert.equal(second.clean, false);
      const reservations = second.resources.find((one: { resource: string }) => one.resource === 'reservation');
      assert.equal(reservations.different, 1);
      assert.equal(reservations.examples[0].key, bent);
      await service.portal('POST', '/portal/reconcile', { resource: 'reservation' });
      assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    });

    it('the feed answers at once, pages, and waits for news', async () => {
      const all = await changesAfter(0);
      const first = await service.portal('GET', '/mirror/changes?limit=2');
      assert.deepEqual(
        first.changes.map((change: { seq: number }) => change.seq),
        all.slice(0, 2).map((change) => change.seq),
      );
      assert.equal(first.next, first.changes[1].seq);
      const seqs = all.map((change) => change.seq);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
      );
      const from = await head();
      const empty = await service.portal('GET', `/mirror/changes?after=${from}`);
      assert.deepEqual(empty, { changes: [], next: from });
      const begun = performance.now();
      const waiting = service.portal('GET', `/mirror/changes?after=${from}&wait=30`);
      const code = await book(60);
      const news = await waiting;
      assert.ok(news.changes.length > 0);
      assert.ok(performance.now() - begun < 10_000, 'it was answered by the change, not by the end of the wait');
      await service.settled();
      assert.ok((await changesAfter(from)).some((change) => change.key === code));
    });

    it('the stream goes on after Last-Event-ID', async () => {
      const all = await changesAfter(0);
      const from = all[3]?.seq ?? 0;
      const stream = await openStream(service, from);
      await until(() => stream.ids().length >= all.length - 4, 'the known changes');
      assert.deepEqual(
        stream.ids(),
        all.slice(4).map((change) => change.seq),
      );
      const last = await head();
      await book(70);
      await until(() => (stream.ids().at(-1) ?? 0) > last, 'a new change on the stream');
      stream.close();
      await service.settled();
    });

    it('a read token sees the feed, a stranger does not, and a write needs a writable token', async () => {
      const token = await newToken(service, 'read');
      assert.equal((await call(service, 'GET', '/mirror/changes', { token })).http, 200);
      assert.equal((await call(service, 'GET', '/mirror/changes', { token: null })).http, 401);
      assert.equal((await call(service, 'GET', '/mirror/changes/stream', { token: null })).http, 401);
      assert.equal((await call(service, 'POST', '/portal/reconcile', { token, body: {} })).http, 401);
    });

    it('/healthz, /readyz, /metrics and /openapi.json answer', async () => {
      assert.deepEqual((await call(service, 'GET', '/healthz', { token: null })).json, { ok: true });
      assert.deepEqual((await call(service, 'GET', '/readyz', { token: null })).json, { ready: true });
      const metrics = await call(service, 'GET', '/metrics', { token: null });
      assert.equal(metrics.http, 200);
      assert.match(metrics.text, /^stayd_mirror_inbox_events\{connection="local",state="done"\} [1-9]\d*$/m);
      for (const line of [
        /^stayd_mirror_received_events_total\{connection="local",event="reservation_created"\} [1-9]/m,
        /^stayd_mirror_propagation_seconds_count\{connection="local",resource="reservation"\} [1-9]/m,
        /^stayd_mirror_requests_total\{connection="local",purpose="lookup",operation="listReservations"\} [1-9]/m,
        /^stayd_mirror_data_age_limit_seconds\{connection="local",part="reservation\.near"\} 900$/m,
      ]) {
        assert.match(metrics.text, line);
      }
      const document = await call(service, 'GET', '/openapi.json', { token: null });
      assert.equal(document.http, 200);
      assert.ok(Object.keys(document.json.paths).some((path) => path.includes('/reservations')));
    });

    it('a restart keeps all of it, and the mirror follows on', async () => {
      const before = await head();
      await service.restart();
      assert.ok((await head()) >= before);
      const code = await book(80);
      await service.settled();
      assert.equal((await service.rows(`select 1 from mirror.stays where reservation_code = '${code}'`)).length, 1);
      await assertSameRows(service.rows);
    });
  });
}

/** A column of one mirrored stay says something else than its source, as no read would leave it. */
async function bendOneStay(service: TestService): Promise<string> {
  const [row] = await service.rows('select reservation_code from mirror.stays order by stay_code limit 1');
  const code = String(row?.['reservation_code']);
  await service.run(`update mirror.stays set number_of_guests = 17 where reservation_code = '${code}'`);
  return code;
}

/** Reads the change feed as server-sent events. */
async function openStream({ url, token }: TestService, after: number) {
  const gone = new AbortController();
  const response = await fetch(`${url}/mirror/changes/stream`, {
    headers: { 'service-access-token': token, 'last-event-id': String(after) },
    signal: gone.signal,
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })();
  reading.catch(() => {});
  return {
    ids: () => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1])),
    close: () => gone.abort(),
  };
}
