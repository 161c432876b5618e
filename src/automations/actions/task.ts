import { CallError } from '../../client/callError.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Plan } from '../plans/table.ts';
import { dayOf } from '../times.ts';
import type { ActionOf } from '../rules/actions.ts';
import { renderTemplate } from '../templates.ts';
import type { CallGuard, Deed, Prepared, Situation } from './deed.ts';

/** What is kept of a task that was made. */
interface Made {
  task_id: number;
  type: string;
  expected_date: PlainDate;
}

/** Makes one task for a stay, lets it follow the stay, and calls it off with it. */
export const task: Deed<'task'> = {
  isRepeatable: (plan) => plan.result !== null,
  speaks: false,
  prepare(situation) {
    const { plan } = situation;
    const made = madeBy(plan);
    if (plan.undo === 1) return callOff(situation.context, made);
    const body = bodyOf(situation);
    const text = `${body.type} on ${body.expected_date}${body.note === undefined ? '' : `: ${body.note}`}`;
    const { context } = situation;
    return {
      text,
      async run(guard) {
        const { type, expected_date } = body;
        if (made) {
          const { stay_code: _, ...changes } = body;
          await context.client.call('updateTask', { id: made.task_id, ...changes }, guard);
          return { ...made, type, expected_date } satisfies Made;
        }
        const { data } = await context.client.call('createTask', body, guard);
        // Not everybody answers the id of what was made.
        const task_id = data.task_id ?? (await taskOf(context, body));
        return task_id === null ? undefined : ({ task_id, type, expected_date } satisfies Made);
      },
    };
  },
  async find({ client, signal, book }, plan) {
    const rule = book.rule(plan.rule);
    if (rule?.do.name !== 'task' || plan.stay_code === null) return undefined;
    const { check_in_date, check_out_date } = JSON.parse(plan.basis) as Record<
      'check_in_date' | 'check_out_date',
      string
    >;
    const expected_date = dayOf(rule.do.with.on, { check_in_date, check_out_date });
    const { type } = rule.do.with;
    const task_id = await taskOf({ client, signal }, { type, expected_date, stay_code: plan.stay_code });
    return task_id === null ? undefined : ({ task_id, type, expected_date } satisfies Made);
  },
};

/** The task of a stay on a day that is not called off; null: there is none. */
async function taskOf(
  { client, signal }: Pick<Automating, 'client' | 'signal'>,
  { type, expected_date, stay_code }: Pick<TaskBody, 'type' | 'expected_date' | 'stay_code'>,
): Promise<number | null> {
  const asked = { start_date: expected_date, end_date: expected_date, type, offset: 0, limit: 100 };
  const { data } = await client.call('listTasks', asked, { purpose: 'reply', signal });
  return data.tasks.find((one) => one.stay_code === stay_code && one.status !== 'cancelled')?.id ?? null;
}

type TaskBody = ReturnType<typeof bodyOf>;

function madeBy({ result }: Plan): Made | undefined {
  return result === null ? undefined : (JSON.parse(result) as Made);
}

function bodyOf({ spec, facts, scope, fresh }: Situation<'task'>) {
  const { stay, property } = facts;
  if (!stay || !property || !fresh) throw new Stopped('skipped', 'stay_gone');
  const { type, on, at, note, staff_id, level, fee, currency }: ActionOf<'task'>['with'] = spec;
  const owed = currency ?? fresh.wire.payment?.currency ?? null;
  if (owed === null) throw new Stopped('skipped', 'missing', { detail: 'currency' });
  return {
    type,
    expected_date: dayOf(on, stay),
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

/** A task that somebody has begun is left to them. */
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
