import type { Principal } from '../context.ts';
import type { WebhookRow } from '../database.ts';

/**
 * Returns true if a caller may change or end a webhook: its registrant and the main account may. A webhook decides
 * where the account's events go and receives the secret that signs them, so one application or sub-account has no
 * access to another's. An application acts for itself here, not as the person who authorised it.
 */
export function mayManage(
  { client_id, operator_id }: Pick<WebhookRow, 'client_id' | 'operator_id'>,
  { operator, clientId }: Pick<Principal, 'operator' | 'clientId'>,
): boolean {
  const isMain = operator.kind === 'master';
  if (clientId === undefined) return isMain || (client_id === null && operator_id === operator.id);
  return client_id === clientId && (isMain || operator_id === operator.id);
}
