import {
  addDaysWithin,
  dateIn,
  type Instant,
  instantOf,
  instantWithin,
  msOf,
  type PlainDate,
} from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import type { PropertyFacts, TaskFacts } from '../facts/facts.ts';
import { propertiesById } from '../facts/mirrorFacts.ts';
import { occurrenceFor, partsOf } from '../rules/parts.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import type { Rule } from '../rules/rule.ts';
import { armedRules } from '../rules/syncRules.ts';
import type { TaskTrigger } from '../rules/trigger.ts';
import { momentOf } from '../../kernel/quietHours.ts';
import { newPlan } from './newPlan.ts';
import { type Entry, insertPlans, type Plan, writeLog } from './table.ts';
import { notAfterMs } from './wanted.ts';

/** States of unfinished tasks. */
export const openTaskStates: readonly string[] = ['pending', 'in_progress'];
/** Days for which tasks are still examined, and their plans explained, after a downtime. */
const DAYS_BACK = 7;

/** Returns true if a rule concerns tasks. */
export function isTaskRule<R extends Rule>(rule: R): rule is R & { when: TaskTrigger } {
  return rule.when.kind === 'task';
}

/** Plans the actions of rules on due tasks, once for each task and its expected day. */
export async function planTasks(context: Automating): Promise<void> {
  if (!context.book.rules.some(isTaskRule)) return;
  const rules = (await armedRules(context.store.db, context)).filter(isTaskRule);
  const plans: Plan[] = [];
  for (const rule of rules) if (rule.state !== 'draft') plans.push(...(await duePlans(context, rule)));
  if (plans.length === 0) return;
  const entries = plans.map((plan): Entry => ({ rule: plan.rule, what: 'planned', plan, detail: plan.subject }));
  await context.store.transaction(async (trx) => {
    await insertPlans(trx, plans);
    await writeLog(trx, context, entries);
  });
}

/** A task with the moment at which a rule examines it. */
interface DueTask {
  task: TaskFacts & { expected_date: PlainDate };
  stay_code: string | null;
  property: PropertyFacts | null;
  at: Instant;
}

async function duePlans(context: Automating, rule: LoadedRule & { when: TaskTrigger }): Promise<Plan[]> {
  const { store, connection, clock, zone } = context;
  const since = addDaysWithin(dateIn(zone(), clock.now()), -DAYS_BACK);
  const now = instantOf(clock.now());
  const due = (await tasksDue(context, rule.when, since)).filter(({ at }) => at > rule.armed_at && at <= now);
  if (due.length === 0) return [];
  const known = await store.db
    .selectFrom('automation_plans')
    .select(['subject', 'occurrence'])
    .where('connection', '=', connection)
    .where('rule', '=', rule.name)
    .where((eb) => inList(eb.ref('subject'), due.map(subjectOf)))
    .execute();
  const isKnown = (subject: string, occurrence: string) =>
    known.some((one) => one.subject === subject && one.occurrence === occurrence);
  const bookings = await reservationsOf(store.db, connection, due);
  return due.flatMap((one) =>
    partsOf(rule).flatMap((part) => {
      const [subject, occurrence] = [subjectOf(one), occurrenceFor(part, one.task.expected_date)];
      if (isKnown(subject, occurrence)) return [];
      const { at: due_at } = one;
      const times = { due_at, send_at: due_at, not_after: instantWithin(msOf(due_at) + notAfterMs(part)) };
      const basis = JSON.stringify({ task: one.task.id });
      return [newPlan(context, part, { subject, occurrence, basis, ...times, ...bookings.get(one.stay_code ?? '') })];
    }),
  );
}

function subjectOf({ task }: DueTask): string {
  return `task:${task.id}`;
}

/** Returns the open tasks that a rule examines from a day on, each with that moment in the zone of its property. */
export async function tasksDue(context: Automating, { days, at }: TaskTrigger, since: PlainDate): Promise<DueTask[]> {
  const { store, connection, clock, zone } = context;
  const today = dateIn(zone(), clock.now());
  const rows = await store.db
    .selectFrom('tasks')
    .select([
      'id',
      'type',
      'status',
      'property_id',
      'stay_code',
      'staff_name',
      'expected_date',
      'expected_time',
      'note',
    ])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where((eb) => inList(eb.ref('status'), openTaskStates))
    // One more day on either side, because the date at the property may differ.
    .where('expected_date', '>=', addDaysWithin(since, -days - 1))
    .where('expected_date', '<=', addDaysWithin(today, 1 - days))
    .orderBy('id')
    .execute();
  const ids = [...new Set(rows.flatMap(({ property_id }) => property_id ?? []))];
  const properties = await propertiesById(store.db, context, ids);
  return rows.flatMap(({ stay_code, expected_date, ...row }) => {
    if (expected_date === null) return [];
    const property = properties.get(row.property_id ?? 0) ?? null;
    const moment = momentOf(addDaysWithin(expected_date, days), at, property?.zone ?? zone());
    return [{ task: { ...row, expected_date }, stay_code, property, at: moment }];
  });
}

type Booking = Pick<Plan, 'stay_code' | 'reservation_code' | 'conversation_id'>;

/** Returns the stays of the tasks that belong to one. */
async function reservationsOf(
  db: MirrorDb,
  connection: string,
  tasks: readonly DueTask[],
): Promise<Map<string, Booking>> {
  const codes = tasks.flatMap(({ stay_code }) => stay_code ?? []);
  const rows = await db
    .selectFrom('stays')
    .select(['stay_code', 'reservation_code', 'conversation_id'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.stay_code, row]));
}
