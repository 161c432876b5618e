import { instantOf, instantWithin } from '../../kernel/dates.ts';
import { inList } from '../../store/inList.ts';
import type { MirrorTrx } from '../../sync/database.ts';
import type { Change } from '../../sync/feed.ts';
import type { Automating } from '../context.ts';
import { isBeforeArmed, type LoadedRule } from '../rules/ruleBook.ts';
import { afterQuiet } from '../times.ts';
import { factTimes } from './factTimes.ts';
import { newPlan } from './newPlan.ts';
import { type Entry, insertPlans, type Plan, writeLog } from './table.ts';
import { notAfterMs, quietOf } from './wanted.ts';

/** Plans what rules do about changes and events of the feed. */
export async function planChanges(
  trx: MirrorTrx,
  context: Automating,
  changes: readonly Change[],
  rules: readonly LoadedRule[],
): Promise<void> {
  const waiting = rules.filter(
    ({ when, state }) => (when.kind === 'change' || when.kind === 'event') && state !== 'draft',
  );
  const matched = changes.flatMap((change) => {
    return waiting.flatMap((rule) => (change.seq > rule.armed_seq && matches(rule, change) ? [{ rule, change }] : []));
  });
  if (matched.length === 0) return;
  const times = await factTimes(
    trx,
    context.connection,
    matched.map(({ change }) => change),
  );
  const about = await namesOf(
    trx,
    context.connection,
    matched.map(({ change }) => change),
  );
  const plans: Plan[] = [];
  const entries: Entry[] = [];
  for (const { rule, change } of matched) {
    if (isHistory(rule, change, times.get(change.seq))) continue;
    for (const event of namesFor(rule, change)) {
      const plan = planOf(context, rule, change, event, about.get(change.seq) ?? nobody);
      plans.push(plan);
      entries.push({ rule: rule.name, what: 'planned', plan, detail: `${change.resource} ${change.op}` });
    }
  }
  await insertPlans(trx, plans);
  await writeLog(trx, context, entries);
}

function matches({ when }: LoadedRule, change: Change): boolean {
  if (when.kind === 'event') return change.derived_events.some(({ name }) => name === when.name);
  if (when.kind !== 'change' || when.resource !== change.resource || !when.ops.includes(change.op)) return false;
  if (when.fields.length === 0 || change.op !== 'updated') return true;
  const diff = JSON.parse(change.diff ?? '[]') as { path: string }[];
  return diff.some(({ path }) => when.fields.some((field) => path === field || path.startsWith(`${field}.`)));
}

/**
 * A row that is met for the first time by reading everything may be as old as the account: it counts when it says that
 * it has come about since the rule was armed.
 */
function isHistory(rule: LoadedRule, change: Change, since: string | null | undefined): boolean {
  if (change.op !== 'created') return false;
  if (since === undefined || since === null) return change.seen_by !== 'event' && change.seen_by !== 'related';
  return isBeforeArmed(rule, since);
}

/** An event can come several times with one change; each is told. */
function namesFor({ when }: LoadedRule, change: Change): (string | null)[] {
  if (when.kind !== 'event') return [null];
  return change.derived_events.flatMap(({ name }, at) =>
    name === when.name ? [at === 0 ? name : `${name} ${at}`] : [],
  );
}

interface About {
  stay_code: string | null;
  reservation_code: string | null;
  conversation_id: string | null;
}
const nobody: About = { stay_code: null, reservation_code: null, conversation_id: null };

async function namesOf(trx: MirrorTrx, connection: string, changes: readonly Change[]): Promise<Map<number, About>> {
  const reviewed = changes.filter(({ resource }) => resource === 'review').map(({ key }) => key);
  const rows =
    reviewed.length === 0
      ? []
      : await trx
          .selectFrom('stays')
          .select(['reservation_code', (eb) => eb.fn.min('stay_code').as('stay_code')])
          .where('connection', '=', connection)
          .where((eb) => inList(eb.ref('reservation_code'), reviewed))
          .where('deleted_at', 'is', null)
          .groupBy('reservation_code')
          .execute();
  const stays = new Map(rows.map((row) => [row.reservation_code, row.stay_code]));
  return new Map(changes.map((change) => [change.seq, aboutOf(change, stays)]));
}

function aboutOf({ resource, key, part }: Change, stays: ReadonlyMap<string, string>): About {
  switch (resource) {
    case 'reservation':
      return { stay_code: part ?? key, reservation_code: key, conversation_id: null };
    case 'review':
      return { stay_code: stays.get(key) ?? null, reservation_code: key, conversation_id: null };
    case 'conversation':
    case 'message':
    case 'special_offer':
      return { ...nobody, conversation_id: key };
    default:
      return nobody;
  }
}

function planOf(context: Automating, rule: LoadedRule, change: Change, event: string | null, about: About): Plan {
  const due_at = instantOf(context.clock.now() + rule.wait);
  const send_at = afterQuiet(due_at, quietOf(rule, context.settings), context.zone());
  const isReview = change.resource === 'review';
  const { resource, key, op } = change;
  return newPlan(context, rule, {
    subject: isReview ? `review:${key}` : `change:${change.seq}`,
    // A review is replied to once, however often it is told of.
    occurrence: rule.do.name === 'review_reply' ? 'reply' : `${change.seq} ${event ?? ''}`.trim(),
    ...about,
    basis: JSON.stringify({ change: { resource, key, op, event: event?.split(' ')[0] ?? null } }),
    due_at,
    send_at,
    not_after: instantWithin(Date.parse(send_at) + notAfterMs(rule)),
  });
}
