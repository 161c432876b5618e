import assert from 'node:assert/strict';
import { statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ics, type Marketplace } from '../channels/feeds/support/feedWorld.ts';
import type { Ear } from '../notices/support/told.ts';
import { runOne } from '../cli/support/runMany.ts';
import { call, type TestService, until } from '../support/service.ts';
import { type Scrape, scraped } from './promtool.ts';

/** A running service with what it talks to. */
export interface Watched {
  service: TestService;
  market: Marketplace;
  ear: Ear;
  property: number;
}

/** A fault that ends in one alert. */
export interface Fault {
  readonly alert: string;
  /** Other alerts that the same fault rightly raises. */
  readonly also?: readonly string[];
  /** Alerts that it raises as well if something is under way. */
  readonly perhaps?: readonly string[];
  make(world: Watched): Promise<void>;
  /** Left out where the fault may stay. */
  mend?(world: Watched): Promise<void>;
}

const MB = 1024 * 1024;
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Alerts whose faults need a world of their own. */
export const apart = [
  'StaydDatabaseDown',
  'StaydDown',
  'StaydEventsMissed',
  'StaydLimitsReached',
  'StaydNothingStored',
  'StaydNotReady',
  'StaydWebhookSilent',
] as const;

/** Faults of the core, and of what follows the mirror; made one after the other in the same service. */
export const faultsAround: readonly Fault[] = [
  {
    alert: 'StaydCalendarFeed',
    async make({ service, market, property }) {
      await book(service, property, 20, 2);
      market.says(ics([]));
      const feed = { property_id: property, name: 'Channel', url: market.url };
      const { id } = await service.portal('POST', '/portal/feeds', feed);
      // It begins a night before a stay of another origin ends: both may be sold.
      market.says(ics([{ uid: 'a@m.example', start: day(21), end: day(24) }]));
      await service.portal('POST', `/portal/feeds/${id}/read`);
    },
  },
  {
    alert: 'StaydComparison',
    async make({ service, market, property }) {
      market.says(ics([{ uid: 'b@m.example', start: day(50), end: day(53), summary: 'Reserved' }]));
      const body = { property_id: property, name: 'Market', url: market.url };
      await service.portal('POST', '/portal/comparisons', body);
      await service.run(`update mirror.comparison_findings set first_seen_at = '${LONG_AGO}', seen_reads = 5`);
    },
  },
  {
    alert: 'StaydMoneyWaits',
    make: ({ service }) =>
      service.run(
        `insert into core.direct_payments
          (account_id, id, reservation_code, purpose, provider, amount, currency, state, received, tries, created_at, updated_at,
           idempotency_key)
         select account_id, 1, 'R-1', 'booking', 'transfer', 30000, 'EUR', 'mismatch', 20000, 0, '${LONG_AGO}', '${LONG_AGO}', 'k'
         from core.accounts limit 1`,
      ),
  },
  {
    alert: 'StaydMailbox',
    make: ({ service }) =>
      service.run(
        `insert into core.mailboxes
          (account_id, id, name, address, imap_host, imap_port, imap_security, imap_user, imap_password, folder,
           plus_addresses, state, created_at, last_uid, since, next_read_at, failures, problem)
         select account_id, 1, 'Mail', 'stay@m.example', '127.0.0.1', 1, 'tls', 'u', 'p', 'INBOX', 0, 'active',
           '${LONG_AGO}', 0, 0, 99999999999999, 9, 'ECONNREFUSED'
         from core.accounts limit 1`,
      ),
  },
  {
    alert: 'StaydNoticesFail',
    async make({ service, ear }) {
      ear.answers(500);
      const settings = { url: `${ear.url}/hook` };
      await service.portal('POST', '/portal/notices', { name: 'Reception', kind: 'slack', settings });
      await service.run(
        `update mirror.notice_places set failing_since = '${LONG_AGO}', problem = 'it answers 500', next_at = '2099-01-01T00:00:00.000Z'`,
      );
    },
  },
  {
    alert: 'StaydBroker',
    make: ({ service }) =>
      service.run(
        `insert into mirror.broker_feeds
          (connection, cursor, published, failures, failing_since, problem, claimed_by, claimed_until)
         values ('local', 0, 0, 9, '${LONG_AGO}', 'connection refused', 'p', '2099-01-01T00:00:00.000Z')`,
      ),
  },
  {
    alert: 'StaydEndpointFails',
    async make({ service, ear, property }) {
      ear.answers(500);
      await service.portal('POST', '/portal/endpoints', { url: `${ear.url}/endpoint` });
      await book(service, property, 30);
      const failing = async () =>
        (await service.rows('select failing_since as since from mirror.endpoints'))[0]?.['since'];
      await until(async () => (await failing()) !== null, 'the endpoint to fail');
      await service.run(`update mirror.endpoints set failing_since = '${LONG_AGO}'`);
    },
  },
  {
    alert: 'StaydWebhookDeliveriesFail',
    async make({ service, ear, property }) {
      ear.answers(500);
      await service.v3('POST', '/webhooks', { url: `${ear.url}/webhook` });
      for (let days = 60; days < 70; days += 1) await book(service, property, days);
      await delivered(service);
    },
    mend: async ({ ear }) => ear.answers(200),
  },
  {
    alert: 'StaydPlansUnknown',
    make: ({ service }) =>
      service.run(
        `insert into mirror.automation_plans
          (connection, plan_id, rule, version, subject, occurrence, action, basis, due_at, send_at, not_after, next_at,
           state, approved, undo, attempts, created_at, changed_at)
         values ('local', 'p1', 'welcome', 1, 's', 'o', 'message', '{}', '${LONG_AGO}', '${LONG_AGO}', '${LONG_AGO}',
           '${LONG_AGO}', 'unknown', 0, 0, 3, '${LONG_AGO}', '${LONG_AGO}')`,
      ),
  },
  {
    alert: 'StaydExportFails',
    make: ({ service }) =>
      service.run(
        `insert into mirror.export_jobs (connection, job, attempts, problem) values ('local', 'datev', 3, 'the server refuses')`,
      ),
  },
];

/** Faults of the mirror and of the process; made one after the other in the same service. */
export const faultsInside: readonly Fault[] = [
  {
    alert: 'StaydRowsQuarantined',
    make: ({ service }) =>
      service.run(
        `insert into mirror.quarantine (connection, resource, key, problem, first_seen_at, last_seen_at, times)
         values ('local', 'reservation', 'R-9', 'check_in_date: no date', '${LONG_AGO}', '${LONG_AGO}', 1)`,
      ),
  },
  { alert: 'StaydKeysGivenUp', make: ({ service }) => service.run(dirtyKey('given-up', 'dead')) },
  { alert: 'StaydKeysWait', make: ({ service }) => service.run(dirtyKey('waits', 'waiting')) },
  {
    alert: 'StaydDataOverdue',
    make: ({ service }) => service.run(`update mirror.reconciliations set fresh_since = '${LONG_AGO}'`),
  },
  {
    alert: 'StaydReadingFails',
    async make({ service }) {
      await service.run(`update mirror.connections set catch_up_due = 'a restore'`);
      await service.run(
        `insert into mirror.scans (connection, scan_id, resource, purpose, state, started_at, finished_at, first_number, requests, rows, problem)
         values ('local', 'zzz', 'reservations', 'catch_up', 'failed', '${LONG_AGO}', '${LONG_AGO}', 0, 1, 0, 'HTTP 502')`,
      );
    },
    mend: ({ service }) => service.run(`delete from mirror.scans where scan_id = 'zzz'`),
  },
  {
    alert: 'StaydClockApart',
    make: ({ service }) => service.run(fact('clock', '-7200000')),
  },
  {
    alert: 'StaydDeliveriesRefused',
    async make({ service }) {
      const headers = {
        'webhook-id': 'e1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      };
      const { http } = await call(service, 'POST', '/hooks/local', { token: null, headers, body: { event: 'x' } });
      assert.equal(http, 401);
    },
  },
  {
    alert: 'StaydWebhookNotRegistered',
    make: ({ service }) =>
      service.run(
        fact(
          'registration',
          JSON.stringify({
            state: 'refused',
            problem: 'the token may not',
            knows_secret: false,
            failures: 3,
            checked_at: LONG_AGO,
            made_at: null,
            next_at: '2099-01-01T00:00:00.000Z',
          }),
        ),
      ),
  },
  {
    alert: 'StaydAutomationsDisarmed',
    async make({ service }) {
      await service.portal('POST', '/portal/automations/disarm', {});
    },
  },
  {
    alert: 'StaydDiskSpace',
    async make({ service }) {
      const { bavail, bsize } = statfsSync(service.dataDir);
      // As large as all that is free, without being written: the file has a hole.
      const file = join(service.dataDir, 'other.db');
      writeFileSync(file, '');
      truncateSync(file, bavail * bsize + 64 * MB);
    },
  },
  {
    alert: 'StaydBackups',
    async make({ service }) {
      // A file is no folder.
      const settings = { STAYD_DATA_DIR: service.dataDir, STAYD_BACKUP_TO: join(service.dataDir, 'control.json') };
      assert.equal((await runOne(['backups', 'run'], settings)).code, 1);
    },
  },
  {
    alert: 'StaydWriteAheadLog',
    make: async ({ service }) => truncateSync(join(service.dataDir, 'core.db-wal'), 257 * MB),
  },
  {
    alert: 'StaydEventLoopBlocked',
    async make({ service }) {
      await call(service, 'GET', '/metrics', { token: null });
      for (let times = 0; times < 5; times += 1) {
        const until = performance.now() + 800;
        while (performance.now() < until);
        await turn();
      }
    },
  },
  {
    alert: 'StaydEventsNotStored',
    // They are answers with HTTP 503, and deliveries that fail: whether that is much depends on the others.
    perhaps: ['StaydReadingFails', 'StaydServerErrors', 'StaydWebhookDeliveriesFail'],
    async make({ service, property }) {
      await service.run(
        `create trigger mirror.refuse before insert on inbox begin select raise(abort, 'no more'); end`,
      );
      await book(service, property, 100);
      await delivered(service);
      await service.run('drop trigger mirror.refuse');
    },
  },
  {
    alert: 'StaydServerErrors',
    perhaps: ['StaydReadingFails'],
    async make({ service }) {
      await service.portal('PUT', '/portal/faults', { answers: { fail: 1 } });
      for (let times = 0; times < 30; times += 1)
        await call(service, 'GET', '/v3/accounts/me', { token: service.token });
      await service.portal('PUT', '/portal/faults', {});
    },
  },
  {
    alert: 'StaydConnectionPaused',
    perhaps: ['StaydReadingFails'],
    async make({ service, property }) {
      const { tokens } = await service.portal('GET', '/portal/tokens');
      const { id } = tokens.find(({ name }: { name: string }) => name === 'daemon beside the core');
      await service.portal('DELETE', `/portal/tokens/${id}`);
      await book(service, property, 110);
      const state = async () => (await service.rows('select state from mirror.connections'))[0]?.['state'];
      await until(async () => (await state()) === 'paused', 'the connection to pause');
    },
  },
];

/** Reads `/metrics` of a service as Prometheus does. */
export async function scrape({ service }: Pick<Watched, 'service'>): Promise<Scrape> {
  const { http, text } = await call(service, 'GET', '/metrics', { token: null });
  assert.equal(http, 200, text);
  return scraped(text);
}

/** Waits until each delivery of the core has its outcome. */
async function delivered(service: TestService): Promise<void> {
  const waiting =
    'select (select count(*) from core.outbox where fanned_out = 0) + (select count(*) from core.deliveries where outcome is null) as n';
  await until(async () => Number((await service.rows(waiting))[0]?.['n']) === 0, 'deliveries to end');
}

/** Books nights that begin in so many days. */
export async function book(service: TestService, property_id: number, days: number, nights = 1): Promise<void> {
  await service.v3('POST', '/reservations', {
    property_id,
    check_in_date: day(days),
    check_out_date: day(days + nights),
    guest_name: 'Ann',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
  });
}

function dirtyKey(key: string, state: string): string {
  return `insert into mirror.dirty_keys
      (connection, resource, key, mark_number, origin, first_marked_at, last_marked_at, marks, attempts, confirming,
       next_at, due_by, state)
    values ('local', 'reservation', '${key}', 1, 'event', '${LONG_AGO}', '${LONG_AGO}', 1, 9, 0,
       '2099-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', '${state}')`;
}

function fact(name: string, value: string): string {
  return `insert into mirror.connection_facts (connection, name, value, changed_at)
    values ('local', '${name}', '${value}', '${LONG_AGO}')
    on conflict (connection, name) do update set value = excluded.value`;
}
