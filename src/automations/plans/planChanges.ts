import { instantOf, instantWithin } from '../../kernel/dates.ts';
import { next, sourcesOf } from '../../kernel/transitions.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { Change } from '../../sync/feed/feed.ts';
import { propertyOfReview } from '../../sync/tables/conversations/reviews.ts';
import type { Automating } from '../context.ts';
import { occurrenceFor, partsOf } from '../rules/parts.ts';
import type { Reason } from '../reasons.ts';
import { isBeforeArmed, type LoadedRule } from '../rules/ruleBook.ts';
import { afterQuiet } from '../../kernel/quietHours.ts';
import { factTimes } from './factTimes.ts';
import { newPlan } from './newPlan.ts';
import { planLife } from './states.ts';
import { type Entry, insertPlans, type Plan, writeLog } from './table.ts';
import { notAfterMs, quietOf } from './wanted.ts';

/** Plans the actions of rules on changes and events of the feed. */
export async function planChanges(
  trx: MirrorTrx,
  context: Automating,
  changes: readonly Change[],
  rules: readonly LoadedRule[],
): Promise<void> {
  const waiting = rules
    .filter(({ when, state }) => (when.kind === 'change' || when.kind === 'event') && state !== 'draft')
    .flatMap(partsOf);
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
  for (const plan of plans) if (ONCE_PER_REVIEW.has(plan.action)) await planAgain(trx, plan);
  await insertPlans(trx, plans);
  await writeLog(trx, context, entries);
}

/** Actions that a rule does once for a review, however often it changes, with the key of that once. */
const ONCE_PER_REVIEW: ReadonlyMap<string, string> = new Map([
  ['review_reply', 'reply'],
  ['guest_review', 'review'],
  ['task', 'task'],
]);

/** Plans a review again. A review may arrive without its score, so a condition that failed then is checked again. */
async function planAgain(trx: MirrorTrx, plan: Plan): Promise<void> {
  const { version, basis, due_at, send_at, not_after, next_at, reason, detail, changed_at } = plan;
  // The stay may have become known meanwhile.
  const known = plan.stay_code === null ? {} : { stay_code: plan.stay_code };
  const state = next(planLife, 'skipped', 'reconsider');
  await trx
    .updateTable('automation_plans')
    .set({ version, basis, due_at, send_at, not_after, next_at, reason, detail, changed_at, state, ...known })
    .where('connection', '=', plan.connection)
    .where('rule', '=', plan.rule)
    .where('subject', '=', plan.subject)
    .where('subject', 'like', 'review:%')
    .where('occurrence', '=', plan.occurrence)
    .where('state', 'in', sourcesOf(planLife, 'reconsider'))
    .where('reason', '=', 'condition' satisfies Reason)
    .execute();
}

function matches({ when }: LoadedRule, change: Change): boolean {
  if (when.kind === 'event') return change.derived_events.some(({ name }) => name === when.name);
  if (when.kind !== 'change' || when.resource !== change.resource || !when.ops.includes(change.op)) return false;
  if (when.fields.length === 0 || change.op !== 'updated') return true;
  const diff = JSON.parse(change.diff ?? '[]') as { path: string }[];
  return diff.some(({ path }) => when.fields.some((field) => path === field || path.startsWith(`${field}.`)));
}

/**
 * Returns true for a fact from before the arming of the rule. An action that happens once ignores an old review,
 * whatever changes in it. A row first met in a full read may be as old as the account, so it counts only if it states a
 * time after the arming.
 */
function isHistory(rule: LoadedRule, change: Change, since: string | null | undefined): boolean {
  const isOnce = change.resource === 'review' && ONCE_PER_REVIEW.has(rule.do.name);
  if (change.op !== 'created') return isOnce && typeof since === 'string' && isBeforeArmed(rule, since);
  if (since === undefined || since === null) return change.seen_by !== 'event' && change.seen_by !== 'related';
  return isBeforeArmed(rule, since);
}

/** Returns the names of a change's events. An event can occur several times in one change; each counts. */
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
  const reviewed = changes.filter(({ resource }) => resource === 'review');
  const stays = await reviewedStays(trx, connection, reviewed);
  return new Map(changes.map((change) => [change.seq, aboutOf(change, stays.get(change.seq))]));
}

/** Returns the stay of each review: the named one, the one in its property, or the first of the reservation. */
async function reviewedStays(
  trx: MirrorTrx,
  connection: string,
  reviewed: readonly Change[],
): Promise<Map<number, string>> {
  if (reviewed.length === 0) return new Map();
  const bookings = [...new Set(reviewed.map(({ key }) => key))];
  const rows = await trx
    .selectFrom('stays')
    .leftJoin('reviews', (join) =>
      join.onRef('reviews.connection', '=', 'stays.connection').onRef('reviews.stay_code', '=', 'stays.stay_code'),
    )
    .select(['stays.reservation_code', 'stays.stay_code', 'stays.property_id', 'reviews.stay_code as named'])
    .where('stays.connection', '=', connection)
    .where((eb) => inList(eb.ref('stays.reservation_code'), bookings))
    .where('stays.deleted_at', 'is', null)
    .orderBy('stays.stay_code')
    .execute();
  const found = new Map<number, string>();
  for (const { seq, key, part } of reviewed) {
    const own = rows.filter((row) => row.reservation_code === key);
    const property = part === null ? null : propertyOfReview(part);
    const isMeant = (row: (typeof own)[number]) =>
      property === null ? row.named !== null : row.property_id === property;
    const stay = own.find(isMeant) ?? own[0];
    if (stay) found.set(seq, stay.stay_code);
  }
  return found;
}

function aboutOf({ resource, key, part }: Change, reviewedStay: string | undefined): About {
  switch (resource) {
    case 'reservation':
      return { stay_code: part ?? key, reservation_code: key, conversation_id: null };
    case 'review':
      return { stay_code: reviewedStay ?? null, reservation_code: key, conversation_id: null };
    case 'conversation':
    case 'message':
    case 'special_offer':
      return { ...nobody, conversation_id: key };
    default:
      return nobody;
  }
}

function occurrenceOf(rule: LoadedRule, change: Change, event: string | null): string {
  const once = change.resource === 'review' ? ONCE_PER_REVIEW.get(rule.do.name) : undefined;
  if (once === undefined) return occurrenceFor(rule, `${change.seq} ${event ?? ''}`.trim());
  const isFirst = rule.part === null || rule.part === rule.do.name;
  return isFirst ? once : occurrenceFor(rule, once);
}

/** Actions that happen once for a reservation, however many reviews it has. */
const BY_RESERVATION: ReadonlySet<string> = new Set(['review_reply', 'guest_review']);

function subjectOf(rule: LoadedRule, { resource, key, part, seq }: Change): string {
  if (resource !== 'review') return `change:${seq}`;
  return `review:${BY_RESERVATION.has(rule.do.name) ? key : (part ?? key)}`;
}

function planOf(context: Automating, rule: LoadedRule, change: Change, event: string | null, about: About): Plan {
  const due_at = instantOf(context.clock.now() + rule.wait);
  const send_at = afterQuiet(due_at, quietOf(rule, context.settings), context.zone());
  const { resource, key, op } = change;
  return newPlan(context, rule, {
    subject: subjectOf(rule, change),
    occurrence: occurrenceOf(rule, change, event),
    ...about,
    basis: JSON.stringify({ change: { resource, key, op, event: event?.split(' ')[0] ?? null } }),
    due_at,
    send_at,
    not_after: instantWithin(Date.parse(send_at) + notAfterMs(rule)),
  });
}
