import { instantOf } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, CoreTransaction } from '../database.ts';
import type { AuditEntry } from './entry.ts';

/** The person who acts. No operator: the service itself, or the holder of the data directory. */
interface Actor {
  readonly account: Pick<AccountRow, 'account_id'>;
  readonly operator: Pick<Principal['operator'], 'id' | 'entrance'> | null;
  readonly clientId?: string;
}

export async function writeAudit(
  trx: CoreTransaction,
  core: Pick<Core, 'ids' | 'clock'>,
  { account, operator, clientId }: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  const at = instantOf(core.clock.now());
  const rows = entries.map(({ action, subject, values }) => ({
    account_id: account.account_id,
    id: core.ids(),
    at,
    operator_id: operator?.id ?? null,
    client_id: clientId ?? null,
    entrance: operator?.entrance ?? null,
    action,
    subject,
    old_values: values?.before === undefined ? null : JSON.stringify(values.before),
    new_values: values?.after === undefined ? null : JSON.stringify(values.after),
  }));
  await insertMany(trx, 'audit', rows);
}

/** Records an action that changes nothing else. */
export function noteDown(core: Core, actor: Actor, entry: AuditEntry): Promise<void> {
  return core.store.transaction((trx) => writeAudit(trx, core, actor, [entry]));
}
