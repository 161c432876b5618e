import { z } from 'zod';

// The answer of GET /portal/status, which `./stayd status --json` prints with two fields of its own. Ages are seconds.

const moment = z.iso.datetime();
const count = z.int().min(0);
const seconds = z.number().min(0);
const age = seconds.nullable();
const byResource = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

const trouble = z
  .strictObject({
    about: z.string().describe('The subject, such as deliveries.'),
    level: z.enum(['note', 'problem', 'alarm']).describe('Worth knowing; needs an action; needs it soon.'),
    says: z.string().describe('What is wrong.'),
    remedy: z.string().describe('What to do.'),
  })
  .describe('A fact that a person should know.');

const lossOfEvents = z.strictObject({
  received: count,
  lost: count.describe('Changes found by a read whose event never came.'),
  late: count.describe('Of those counted as lost before, the ones that came after all.'),
  unproven: count.describe('Changes for which there may have been no event.'),
  lost_percent: seconds.nullable().describe('Of all that must have been sent; null if none was.'),
});

const freshness = z.strictObject({
  freshness: z.enum(['ok', 'overdue']),
  age: age.describe('Seconds since the part was last known to be right; null before the first read.'),
  max_age: seconds.describe('Seconds that it may be old.'),
  state: z.string().describe('State of its last reconciliation.'),
  scanned_age: age.describe('Seconds since that reconciliation ended.'),
  requests: count.nullable().describe('Requests that it took.'),
  rows: count.nullable().describe('Rows that it read.'),
  problem: z.string().nullable(),
});

const scan = z.strictObject({
  purpose: z.string().describe('Why it was made: backfill, reconcile, verify and so on.'),
  state: z.string(),
  requests: count,
  rows: count,
  problem: z.string().nullable(),
  started_age: age,
  age: age.describe('Seconds since it ended; null while it runs.'),
});

/** The state of one connection. */
const connectionStatus = z.strictObject({
  connection: z.string(),
  account: z
    .strictObject({ account_id: z.string(), name: z.string().nullable() })
    .nullable()
    .describe('The account that it mirrors; null before it was read for the first time.'),
  base_url: z.string().describe('The deployment that it reads.'),
  state: z.enum(['active', 'paused']),
  reason: z.string().nullable().describe('Why it is paused.'),
  state_age: age.describe('Seconds for which it has been in that state.'),
  paused: z
    .strictObject({
      since: moment,
      because: z.string().nullable(),
      next_try_in: seconds.nullable().describe('Seconds until access is tried again.'),
    })
    .nullable()
    .describe('Set while nothing is read. The mirror is as it was then.'),
  automations: z
    .strictObject({ armed: z.boolean(), since: moment.nullable(), because: z.string().nullable() })
    .describe('Rules act only while they are armed.'),
  caught_up_age: age.describe('Seconds since everything was last read once.'),
  catch_up_due: z.string().nullable().describe('Why everything is to be read again; null if nothing is missing.'),
  feed_head: count.describe('Number of the newest change in the feed.'),
  dirty: byResource(z.strictObject({ keys: count, oldest_age: age })).describe('What waits to be read, by resource.'),
  dead: byResource(count).describe('Keys that were given up after many attempts, by resource.'),
  unread: byResource(count).describe('Known and never completely read, by resource.'),
  oldest_dirty_age: seconds.describe('Seconds that the oldest of what is to be read waits.'),
  inbox: z
    .strictObject({
      pending: count,
      ignored: count.describe('Of no kind that concerns the mirror.'),
      unreadable: count,
      done: count,
    })
    .describe('Events received since the mirror was made.'),
  refused: z
    .record(z.string(), z.strictObject({ times: count, age }))
    .describe('Deliveries that were not accepted, by reason.'),
  troubles: z.array(trouble),
  holds: z
    .record(z.string(), z.strictObject({ since: moment, until: moment, asked_until: moment }))
    .describe('Routes that are left alone because the source asked for it.'),
  scans: byResource(scan).describe('The newest full read of each resource.'),
  fresh: z.record(z.string(), freshness).describe('Each part of the mirror with its age.'),
  loss: z.record(z.string(), lossOfEvents).describe('Events of the last 24 hours, by kind.'),
  propagation: byResource(z.strictObject({ changes: count, p50: seconds, p99: seconds, worst: seconds })).describe(
    'Seconds from the event to the mirrored change, within the last 24 hours.',
  ),
  coalescing: byResource(z.strictObject({ events: count, reads: count, events_per_read: seconds })).describe(
    'How many events one read answered, within the last 24 hours.',
  ),
  budget: z
    .record(z.string(), z.record(z.string(), z.strictObject({ used: count, max: count })))
    .describe('Requests in the open windows, by route and by the seconds of the window.'),
  requests: z.record(z.string(), count).describe('Requests since the start, by purpose.'),
  counters: z.record(z.string(), count).describe('Further counts since the mirror was made.'),
  schedules: z
    .array(
      z.strictObject({
        resource: z.string(),
        cron: z.string(),
        zone: z.string().describe('Time zone of the schedule.'),
        next_run: moment.nullable(),
      }),
    )
    .describe('Reconciliations at times of the clock.'),
});

/** The state of a service. */
const serviceStatus = z.strictObject({
  version: z.string(),
  started_at: moment,
  alarms: z
    .array(
      z.strictObject({
        kind: z.string().describe('The same for all alarms of a sort.'),
        alarm: z.string(),
        says: z.string(),
        remedy: z.string().nullable(),
      }),
    )
    .optional()
    .describe('What a person must look after soon. Only for the holder of the machine.'),
  core: z
    .strictObject({
      waiting: z
        .strictObject({ events: count, deliveries: count })
        .describe('Events without deliveries yet, and deliveries without an outcome.'),
      deliveries: z.record(z.string(), count).describe('Deliveries by outcome.'),
      faults: z.looseObject({}).describe('Faults that an operator has set for tests.'),
    })
    .optional()
    .describe('The core in this process. Only for the holder of the machine.'),
  connections: z.record(z.string(), connectionStatus),
});

/** What the command line adds to it. */
export const printedStatus = serviceStatus.extend({
  accounts_not_mirrored: z.array(z.string()).describe('Accounts of the core that no connection mirrors.'),
  accounts_held: z.record(z.string(), z.string()).describe('Accounts whose planned actions are held, with the reason.'),
});

/** The state of one connection. */
export type ConnectionStatus = z.output<typeof connectionStatus>;
/** The state of a service. */
export type ServiceStatus = z.output<typeof serviceStatus>;
