import { type Instant, msOf } from '../../kernel/dates.ts';
import { type AccountId, firstIdAt } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';

interface AuditQuestion {
  /** Number of a person, a client_id, or `service` for actions that no person of the account took. */
  readonly actor?: string | undefined;
  /** Beginning of the action, in any case of letters. */
  readonly action?: string | undefined;
  /** True if `action` is the whole of it. */
  readonly exact?: boolean | undefined;
  readonly since?: Instant | undefined;
  /** Last id of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Lists the audit entries of an account, newest first. */
export async function listAudit(db: CoreDb, accountId: AccountId, question: AuditQuestion) {
  const { actor, action, exact = false, since, after, limit } = question;
  let query = db
    .selectFrom('audit')
    .leftJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'audit.account_id').onRef('operator.id', '=', 'audit.operator_id'),
    )
    .where('audit.account_id', '=', accountId);
  if (actor === 'service') query = query.where('audit.operator_id', 'is', null).where('audit.client_id', 'is', null);
  else if (actor !== undefined && /^\d{1,15}$/.test(actor))
    query = query.where('audit.operator_id', '=', Number(actor));
  else if (actor !== undefined) query = query.where('audit.client_id', '=', actor);
  if (action !== undefined && exact) query = query.where('audit.action', '=', action);
  else if (action !== undefined) {
    const begins = `${action.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    query = query.where((where) => where(where.fn<string>('lower', ['audit.action']), 'like', begins));
  }
  if (since !== undefined) {
    // The key begins with the time; what was recorded while the clock stepped back may have a later one than its own.
    query = query.where('audit.id', '>=', firstIdAt(msOf(since))).where('audit.at', '>=', since);
  }
  if (after !== undefined) query = query.where('audit.id', '<', after);
  const rows = await query
    .select([
      'audit.id',
      'audit.at',
      'audit.operator_id',
      'operator.name as operator_name',
      'audit.client_id',
      'audit.entrance',
    ])
    .select(['audit.action', 'audit.subject', 'audit.old_values', 'audit.new_values'])
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ old_values, new_values, ...row }) => ({
    ...row,
    old_values: old_values === null ? null : (JSON.parse(old_values) as object),
    new_values: new_values === null ? null : (JSON.parse(new_values) as object),
  }));
}
