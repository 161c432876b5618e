import type { Principal } from '../context.ts';
import type { WebhookRow } from '../database.ts';

/**
 * Whether somebody may change or end a webhook: who registered it, and the main account. A webhook says where the
 * account's events go and gets the secret that signs them, so one application or sub-account has no hand in another's.
 * An application counts for itself, not as the person who let it in.
 */
export function mayManage(
  { client_id, operator_id }: Pick<WebhookRow, 'client_id' | 'operator_id'>,
  { operator, clientId }: Pick<Principal, 'operator' | 'clientId'>,
): boolean {
  const isMain = operator.kind === 'master';
  if (clientId === undefined) return isMain || (client_id === null && operator_id === operator.id);
  return client_id === clientId && (isMain || operator_id === operator.id);
}
