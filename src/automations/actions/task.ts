import { CallError } from '../../client/callError.ts';
import { dateIn, instantOf, msOf, type PlainDate } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { StayFacts } from '../facts/facts.ts';
import { staysByCode } from '../facts/mirrorFacts.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Plan } from '../plans/table.ts';
import { dayOf } from '../times.ts';
import type { ActionOf } from '../rules/actions.ts';
import { partFor } from '../rules/parts.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { CallGuard, Action, Prepared, ActionContext } from './action.ts';
import { type Given, whoseTurn } from './turns.ts';

/** The stored data of a created task. */
interface Made extends Partial<Given> {
  task_id: number;
  type: string;
  expected_date: PlainDate;
}

/** Creates one task for a stay, moves it with the stay, and cancels it with the stay. */
export const task: Action<'task'> = {
  isRepeatable: (plan) => plan.result !== null,
  speaks: false,
  async prepare(actionContext) {
    const { plan, context, spec } = actionContext;
    const made = madeBy(plan);
    if (plan.undo === 1) return callOff(context, made);
    const body = bodyOf(actionContext);
    // The assignee stays the same when the stay moves. A person may also have reassigned the task.
    const turn = made || !spec.staff ? undefined : await whoseTurn(context, plan.rule, spec.staff);
    const by = turn === undefined ? '' : `, by staff ${turn}`;
    const text = `${body.type} on ${body.expected_date}${by}${body.note === undefined ? '' : `: ${body.note}`}`;
    return {
      text,
      async run(guard) {
        const { type, expected_date } = body;
        if (made) {
          const { stay_code: _, ...changes } = body;
          await context.client.call('updateTask', { id: made.task_id, ...changes }, guard);
          return { ...made, type, expected_date } satisfies Made;
        }
        const given = turn === undefined ? {} : { staff_id: turn };
        const { data } = await context.client.call('createTask', { ...body, ...given }, guard);
        // Some deployments do not return the id of a created object.
        const task_id = data.task_id ?? (await taskOf(context, body))?.id ?? null;
        if (task_id === null) return undefined;
        return { task_id, type, expected_date, ...givenAt(context, turn) } satisfies Made;
      },
    };
  },
  async find(context, plan) {
    const whole = context.book.rule(plan.rule);
    const rule = whole && partFor(whole, plan);
    if (rule?.do.name !== 'task' || plan.stay_code === null) return undefined;
    const [mirrored] = await staysByCode(context.store.db, context, [plan.stay_code]);
    if (!mirrored) return undefined;
    // A plan based on a stay's dates uses the dates from its making.
    const dates = { ...mirrored.stay, ...(JSON.parse(plan.basis) as object) };
    const expected_date = dateOf(rule.do.with, plan, dates, mirrored.property?.zone ?? context.zone());
    const { type } = rule.do.with;
    const found = await taskOf(context, { type, expected_date, stay_code: plan.stay_code });
    if (!found) return undefined;
    const { id: task_id, staff_id } = found;
    return { task_id, type, expected_date, ...givenAt(context, staff_id) } satisfies Made;
  },
};

/** Rules about reviews and tasks act after the day of departure. */
const LATER = /^(review|task):/;

/** Returns the day of a task. `today` is the day of the plan. */
function dateOf(
  { on }: ActionOf<'task'>['with'],
  { subject, send_at }: Plan,
  stay: Pick<StayFacts, 'check_in_date' | 'check_out_date'>,
  zone: string,
): PlainDate {
  const usual = LATER.test(subject) ? 'today' : 'check_out';
  return dayOf(on ?? usual, stay, dateIn(zone, msOf(send_at)));
}

function givenAt({ clock }: Pick<Automating, 'clock'>, staff_id: number | undefined): Partial<Given> {
  return staff_id === undefined ? {} : { staff_id, given_at: instantOf(clock.now()) };
}

/** Returns the stay's task on a day unless it is cancelled; undefined without one. */
async function taskOf(
  { client, signal }: Pick<Automating, 'client' | 'signal'>,
  { type, expected_date, stay_code }: Pick<TaskBody, 'type' | 'expected_date' | 'stay_code'>,
): Promise<{ id: number; staff_id: number | undefined } | undefined> {
  const asked = { start_date: expected_date, end_date: expected_date, type, offset: 0, limit: 100 };
  const { data } = await client.call('listTasks', asked, { purpose: 'reply', signal });
  const found = data.tasks.find((one) => one.stay_code === stay_code && one.status !== 'cancelled');
  return typeof found?.id === 'number' ? { id: found.id, staff_id: found.staff_id ?? undefined } : undefined;
}

type TaskBody = ReturnType<typeof bodyOf>;

function madeBy({ result }: Plan): Made | undefined {
  return result === null ? undefined : (JSON.parse(result) as Made);
}

function bodyOf({ plan, spec, facts, scope, fresh }: ActionContext<'task'>) {
  const { stay, property } = facts;
  if (!stay || !fresh) throw new Stopped('skipped', 'stay_gone');
  if (!property) throw new Stopped('skipped', 'no_property');
  const { type, at, note, staff_id, level, fee, currency }: ActionOf<'task'>['with'] = spec;
  const owed = currency ?? fresh.wire.payment?.currency ?? null;
  if (owed === null) throw new Stopped('skipped', 'missing', { detail: 'currency' });
  return {
    type,
    expected_date: dateOf(spec, plan, stay, property.zone),
    currency: owed,
    stay_code: stay.stay_code,
    property_id: property.id,
    ...(at !== undefined && { expected_time: `${at}:00` }),
    ...(note !== undefined && { note: renderTemplate(note, scope).slice(0, 500) }),
    ...(staff_id !== undefined && { staff_id }),
    ...(level !== undefined && { level }),
    ...(fee !== undefined && { fee }),
  };
}

/** Cancels a task. A task that is under way is left alone. */
function callOff({ client, signal }: Automating, made: Made | undefined): Prepared {
  return {
    text: made ? `call off the ${made.type} on ${made.expected_date}` : 'nothing',
    async run(guard: CallGuard) {
      if (!made) return;
      const { data } = await client.call('listTasks', { id: made.task_id }, { purpose: 'reply', signal });
      if (data.tasks[0]?.status !== 'pending') return;
      try {
        await client.call('updateTask', { id: made.task_id, status: 'cancelled' }, guard);
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 404) throw error;
      }
    },
  };
}
