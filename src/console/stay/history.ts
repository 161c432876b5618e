import { z } from 'zod';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';

const MOST_CHANGES = 50;

interface Asked {
  connection: string;
  reservation: string;
}

const changesOf = preparedByArguments((db: MirrorDb, { connection, reservation }: Asked) =>
  db
    .selectFrom('changes')
    .where('connection', '=', connection)
    .where('resource', '=', 'reservation')
    .where('key', '=', reservation)
    .select(['seq', 'at', 'part', 'op', 'diff'])
    .orderBy('seq', 'desc')
    .limit(MOST_CHANGES),
);

const depositChangesOf = preparedByArguments((db: MirrorDb, { connection, reservation }: Asked) =>
  db
    .selectFrom('derived_events')
    .where('connection', '=', connection)
    .where('resource', '=', 'reservation')
    .where('key', '=', reservation)
    .where('name', 'in', [
      'deposit_paid',
      'deposit_deducted',
      'deposit_refund_pending',
      'deposit_returned',
      'deposit_changed',
    ])
    .select(['seq', 'at', 'part', 'name', 'after'])
    .orderBy('seq')
    .orderBy('position')
    .limit(MOST_CHANGES),
);

/** A field that differs; `before` and `after` are left out for values that are no single word or are personal. */
export interface FieldStep {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

/** One change of a stay. */
export interface Step {
  at: string;
  op: 'created' | 'updated' | 'deleted';
  fields: FieldStep[];
}

/** One change of a deposit, as the mirror saw it. */
export interface DepositStep {
  at: string;
  name: string;
  paid: number | null;
  deducted: number | null;
  pending: number | null;
  currency: string | null;
}

interface OfStay extends Asked {
  code: string;
}

const diff = z
  .array(
    z.object({
      path: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      personal: z.boolean().optional(),
    }),
  )
  .catch([]);

/** Fields that say the same as another one, or nothing to people. */
const REPEATED = /^(remarks|id|guests\.\d+\.id|rates\.(total_rate|total_commission)|payment\..*\.currency)\b/;

/** Reads what changed of a stay, newest first. */
export async function readHistory(db: MirrorDb, { code, ...asked }: OfStay): Promise<Step[]> {
  const rows = await changesOf(db, asked);
  return rows
    .filter(({ part }) => part === null || part === code)
    .map(({ at, op, diff: text }) => ({
      at,
      op,
      fields: diff
        .parse(text === null ? [] : JSON.parse(text))
        .filter(({ path }) => !REPEATED.test(path))
        .map(({ path, before, after, personal }) =>
          personal === true ? { path } : { path, before: wordOf(before), after: wordOf(after) },
        ),
    }))
    .filter(({ op, fields }) => op !== 'updated' || fields.length > 0);
}

/** Returns a single value as text; nothing for what is empty, a list or an object. */
function wordOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const deposit = z
  .object({
    paid_amount: z.number().nullable().catch(null),
    deducted_amount: z.number().nullable().catch(null),
    pending_refund_amount: z.number().nullable().catch(null),
    currency: z.string().nullable().catch(null),
  })
  .catch({ paid_amount: null, deducted_amount: null, pending_refund_amount: null, currency: null });

/** Reads what became of a deposit, as the mirror noticed it, oldest first. */
export async function readDepositSteps(db: MirrorDb, { code, ...asked }: OfStay): Promise<DepositStep[]> {
  const rows = await depositChangesOf(db, asked);
  return rows
    .filter(({ part }) => part === null || part === code)
    .map(({ at, name, after }) => {
      const is = deposit.parse(after === null ? {} : JSON.parse(after));
      return {
        at,
        name,
        paid: is.paid_amount,
        deducted: is.deducted_amount,
        pending: is.pending_refund_amount,
        currency: is.currency,
      };
    });
}
