import { accountConnections, setMirrored } from '../../core/accounts/connections.ts';
import type { AccountRow } from '../../core/database.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { PortalServices } from './route.ts';

/** How an account is mirrored beside the core. */
interface Mirroring {
  /** null while it never was. */
  readonly connection: string | null;
  readonly mirrored: boolean;
}

/** Returns how each account is mirrored. */
export async function mirroringOf({ core }: PortalServices): Promise<(accountId: AccountId) => Mirroring> {
  const rows = await accountConnections(core.store.db);
  return (accountId) => {
    const own = rows.find((row) => row.account_id === accountId);
    return { connection: own?.connection ?? null, mirrored: own?.mirrored === 1 };
  };
}

/** Says if an account is mirrored, and begins or ends its connection at once. */
export async function changeMirroring(
  services: PortalServices,
  account: AccountRow,
  mirrored: boolean,
): Promise<Mirroring> {
  const taken = await services.mirror.connectionsOf(null);
  const { connection } = await setMirrored(services.core, account, { mirrored, taken });
  await beginOrEnd(services, connection);
  return { connection, mirrored };
}

/** @throws ApiError 500 if a connection could not begin; it is stored that it is to run, so the next start tries again */
export async function beginOrEnd(services: PortalServices, connection: string): Promise<void> {
  const { failed } = await services.connectionsChanged();
  const problem = failed.find((one) => one.connection === connection)?.problem;
  if (problem !== undefined) {
    throw new ApiError(500, `it is stored, but ${connection} could not begin: ${problem}`);
  }
}
