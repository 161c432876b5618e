import type { z } from 'zod';
import { listAccounts } from '../../core/accounts/table.ts';
import type { AuditEntry } from '../../core/audit/entry.ts';
import { noteDown } from '../../core/audit/record.ts';
import type { AccountRow } from '../../core/database.ts';
import { type PortalCall, type PortalRoute, portalRoute } from './route.ts';
import { operatorOf } from './who.ts';

/** What the record says of a call that has done its work; undefined if nothing changed by it. */
export type Recording<Input> = (input: Input, answer: unknown) => AuditEntry | undefined;

/**
 * Declares a route that records who has done its work, in the account that it concerns. The operations of the core need
 * none: they record themselves.
 */
export function recordedRoute<Schema extends z.ZodObject>(
  route: PortalRoute<Schema>,
  record: Recording<z.output<Schema>>,
): PortalRoute {
  return portalRoute({
    ...route,
    async run(call: PortalCall<z.output<Schema>>) {
      const answer = await route.run(call);
      const entry = record(call.input, answer);
      const { core } = call.services;
      const operator = operatorOf(call.caller);
      if (!entry) return answer;
      for (const account of await concerned(call)) await noteDown(core, { account, operator }, entry);
      return answer;
    },
  });
}

/** Returns the account of the caller; for the control secret those that the connection mirrors, or all of them. */
async function concerned({ services, caller, input }: PortalCall<object>): Promise<readonly AccountRow[]> {
  if (caller.kind === 'token') return [caller.account];
  const connection: unknown = Reflect.get(input, 'connection');
  const accounts = await listAccounts(services.core.store.db);
  if (typeof connection !== 'string') return accounts;
  const mirrored: AccountRow[] = [];
  for (const account of accounts) {
    const connections = await services.mirror.connectionsOf(account.account_id);
    if (connections.some((one) => one === connection)) mirrored.push(account);
  }
  return mirrored;
}
