import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { OfferStatus } from '../../src/contract/specialOffers.ts';
import type { ProcessStatus } from '../../src/contract/knowledgeBases.ts';
import { createRule, updateRule } from '../../src/core/automation/manageRules.ts';
import { automationHandlers } from '../../src/core/automation/handlers.ts';
import type { AutomationPorts } from '../../src/core/automation/ports.ts';
import { actionLife } from '../../src/core/automation/rules.ts';
import { automationWorker } from '../../src/core/automation/worker.ts';
import { changeAuthStatus } from '../../src/core/channels/accounts.ts';
import { changeShelfStatus } from '../../src/core/channels/listings.ts';
import { channelAccountLife, listingLife } from '../../src/core/channels/rules.ts';
import { entryLife } from '../../src/core/knowledgeBases/rules.ts';
import { knowledgeWorker } from '../../src/core/knowledgeBases/worker.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import { receiveOfferAnswer } from '../../src/core/specialOffers/receive.ts';
import { offerLife } from '../../src/core/specialOffers/rules.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { arrowsOf, triggersOf } from '../../src/kernel/transitions.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { listOn } from '../support/listings.ts';
import { openConversation } from '../support/conversations.ts';

const HOUR = 3_600_000;
const RUNS = { numRuns: 15 };
/** What can be done to a plan, or happen to it. */
const acts = ['execute', 'delete', 'move', 'cancel', 'off', 'on', 'work'] as const;

type Table = readonly { from: string | null; to: string | null }[];

/** A step either leads along the table or leaves things as they are; one that was refused does the latter. */
function requireMove(table: Table, [from, to]: [from: string | null, to: string | null], isDone = true): void {
  if (from === to) return;
  assert.ok(isDone, `refused, and yet ${from} → ${to}`);
  assert.ok(
    table.some((row) => row.from === from && row.to === to),
    `${from} → ${to} is in no table`,
  );
}

/** Whether it was done; all that may stop it is a refusal for its state. */
async function attempt(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      assert.ok(error instanceof ApiError && error.code === 400, String(error));
      return false;
    },
  );
}

/** Lets a worker look once. */
async function round(worker: Worker): Promise<void> {
  await worker.start();
  await worker.settled();
  await worker.stop();
}

describe('no sequence of operations and time leaves the table', () => {
  let core: TestCore;
  let mill: number;
  let plans = 0;
  const ports: AutomationPorts = {
    // Every third message finds nobody to take it.
    async sendMessage() {
      if ((plans += 1) % 3 === 0) throw new ApiError(400, 'nobody is reached');
    },
    async postReview() {},
  };
  before(async () => {
    core = await startCore(undefined, undefined, 'off', automationHandlers(ports));
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
  });
  after(() => core.close());

  it('of special offers', async () => {
    const steps = fc.array(fc.constantFrom('withdraw' as const, 'accept' as const, 'decline' as const, 1, 12, 23, 24), {
      maxLength: 6,
    });
    const conversation_id = await openConversation(core);
    const terms = { listing_id: 'L', price: 9, number_of_adults: 1 };
    const dates = { check_in_date: '2029-02-01', check_out_date: '2029-02-04' };
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { id } = await core.call('createSpecialOffer', { conversation_id, ...terms, ...dates });
        const made = core.clock.now();
        const statusNow = async (): Promise<OfferStatus> =>
          (await core.call('listSpecialOffers', { conversation_id })).special_offers[0].status;
        let status = await statusNow();
        assert.equal(status, 'active');
        for (const step of sequence) {
          let done = true;
          if (typeof step === 'number') core.clock.jump(step * HOUR);
          else if (step === 'withdraw') {
            const path = `/conversations/${conversation_id}/special_offers/${id}`;
            done = (await core.request('DELETE', path)).error_code === 200;
          } else done = await attempt(core.change(core.own.account, (change) => receiveOfferAnswer(change, id, step)));
          const next = await statusNow();
          requireMove(arrowsOf(offerLife), [status, next], done);
          if (next === 'active') assert.ok(core.clock.now() < made + 24 * HOUR, 'active for 24 hours at most');
          status = next;
        }
      }),
      RUNS,
    );
  });

  it('of automation plans', async () => {
    const own = { account: core.own.account, operator: null };
    const rule = await createRule(core.core, own, {
      type: 'message',
      name: 'Welcome',
      event: 'check_in',
      hours: -24,
      property_ids: null,
      channel_types: null,
      action: { content: 'Hi' },
      is_enabled: true,
    });
    const worker = () => round(automationWorker({ core: core.core, log: silentLogger, ports }));
    const step = fc.oneof(
      { arbitrary: fc.constantFrom(...acts), weight: 6 },
      { arbitrary: fc.constantFrom(6, 30), weight: 1 },
    );
    const table = arrowsOf(actionLife).map(({ from, to }) => ({ from, to }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (sequence) => {
        await updateRule(core.core, own, rule, { is_enabled: true });
        const day = (more: number) => new Date(core.clock.now() + more * 24 * HOUR).toISOString().slice(0, 10);
        const money = { rate_amount: 1, commission_amount: 0, received_amount: 0 };
        const dates = { check_in_date: day(2), check_out_date: day(4) };
        const booking = { property_id: mill, ...dates, guest_name: 'A. Guest', ...money };
        const { reservation_code: code } = await core.call('createReservation', booking);
        const row = async () =>
          core.core.store.db
            .selectFrom('automation_plans')
            .where('stay_code', '=', code as never)
            .select(['plan_id', 'state'])
            .executeTakeFirst();
        const id = (await row())?.plan_id;
        let state: string | null = (await row())?.state ?? null;
        assert.equal(state, 'waiting');
        for (const one of sequence) {
          const done = await act(one, { code, id, day });
          const next = (await row())?.state ?? null;
          requireMove(table, [state, next], done);
          state = next;
        }
        await core.request('DELETE', `/reservations/${code}`);
      }),
      RUNS,
    );

    async function act(
      one: (typeof acts)[number] | number,
      { code, id, day }: { code: string; id: string | undefined; day: (more: number) => string },
    ): Promise<boolean> {
      if (typeof one === 'number') core.clock.jump(one * HOUR);
      else if (one === 'work') await worker();
      else if (one === 'off' || one === 'on') await updateRule(core.core, own, rule, { is_enabled: one === 'on' });
      else {
        const [method, path, body] = {
          execute: ['POST', `/automation/actions/${id}/execute`, undefined],
          delete: ['DELETE', `/automation/actions/${id}`, undefined],
          move: ['PATCH', `/reservations/${code}`, { check_in_date: day(3), check_out_date: day(6) }],
          cancel: ['DELETE', `/reservations/${code}`, undefined],
        }[one] as [string, string, object | undefined];
        const { error_code } = await core.request(method, path, { ...(body && { body }) });
        assert.ok([200, 400, 404].includes(error_code), String(error_code));
        return error_code === 200;
      }
      return true;
    }
  });

  it('of knowledge base entries', async () => {
    const worker = () => round(knowledgeWorker(core.core, silentLogger));
    const step = fc.constantFrom('rewrite', 'rename', 'blank', 'off', 'work', 'crash', 2);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (sequence) => {
        const { id } = await core.call('createKnowledgeBase', { content: 'Bins stand behind the house.' });
        const statusNow = async (): Promise<ProcessStatus> =>
          (await core.call('getKnowledgeBase', { id })).process_status;
        let status = await statusNow();
        assert.equal(status, 'waiting');
        let text = 0;
        for (const one of sequence) {
          if (typeof one === 'number') core.clock.jump(one * HOUR);
          else if (one === 'work') await worker();
          else if (one === 'crash') await leaveProcessing(id, status);
          else {
            const body = {
              rewrite: { content: `Text ${(text += 1)}` },
              rename: { title: `Title ${(text += 1)}` },
              blank: { content: `!${'.'.repeat((text += 1))}` },
              off: { is_enable: false },
            }[one];
            await core.call('updateKnowledgeBase', { id, ...body });
          }
          const next = await statusNow();
          for (const [from, to] of one === 'work' ? throughWork(status, next) : [[status, next] as const]) {
            requireMove(arrowsOf(entryLife), [from, to]);
          }
          status = next;
        }
        await core.call('deleteKnowledgeBase', { id });
      }),
      RUNS,
    );

    /** What the tables hold when a worker dies over an entry that it has claimed. */
    async function leaveProcessing(id: number, status: ProcessStatus): Promise<void> {
      if (status !== 'waiting') return;
      await core.core.store.db
        .updateTable('knowledge_bases')
        .set({ process_status: 'processing', claimed_until: new Date(core.clock.now() + HOUR).toISOString() })
        .where('id', '=', id)
        .execute();
    }

    /** A round claims what waits, or what a dead worker has left, and ends it. */
    function throughWork(from: ProcessStatus, to: ProcessStatus): [ProcessStatus, ProcessStatus][] {
      if (from === to) return [];
      const begun: [ProcessStatus, ProcessStatus][] =
        from === 'processing'
          ? [
              ['processing', 'waiting'],
              ['waiting', 'processing'],
            ]
          : [[from, 'processing']];
      return [...begun, ['processing', to]];
    }
  });

  it('of listings and channel accounts', async () => {
    const shelf = triggersOf(listingLife);
    const auth = triggersOf(channelAccountLife);
    const step = fc.oneof(
      fc.constantFrom(...shelf).map((trigger) => ({ what: 'listing' as const, trigger })),
      fc.constantFrom(...auth).map((trigger) => ({ what: 'account' as const, trigger })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (sequence) => {
        const listed = await listOn(core, 'marketplace_c', mill);
        const now = async () => {
          const { listing_id } = listed;
          const [listing] = (await core.call('listListings', { listing_id })).listings;
          const [account] = (await core.call('listChannelAccounts', { id: listed.channel_account_id }))
            .channel_accounts;
          return { listing: listing.shelf_status as string, account: account.auth_status as string };
        };
        let state = await now();
        assert.deepEqual(state, { listing: 'on', account: 'active' });
        for (const one of sequence) {
          const done = await attempt(
            core.change(core.own.account, (change) =>
              one.what === 'listing'
                ? changeShelfStatus(change, listed.id, one.trigger)
                : changeAuthStatus(change, listed.channel_account_id, one.trigger),
            ),
          );
          const next = await now();
          requireMove(arrowsOf(listingLife), [state.listing, next.listing], done && one.what === 'listing');
          requireMove(arrowsOf(channelAccountLife), [state.account, next.account], done && one.what === 'account');
          state = next;
        }
      }),
      RUNS,
    );
  });
});
