import type { Reseal } from '../../kernel/seal.ts';
import type { MirrorStore } from '../../sync/database.ts';
import { secretContext } from './context.ts';
import { changeEndpoint } from './table.ts';

/** Encrypts the secrets of all endpoints with another key. @returns of how many endpoints */
export function resealEndpoints(store: MirrorStore, reseal: Reseal): Promise<number> {
  return store.transaction(async (trx) => {
    const endpoints = await trx.selectFrom('endpoints').selectAll().execute();
    for (const endpoint of endpoints) {
      const context = secretContext(endpoint.connection, endpoint.endpoint_id);
      const { secret, previous_secret: previous } = endpoint;
      await changeEndpoint(trx, endpoint, {
        secret: reseal(secret, context),
        previous_secret: previous === null ? null : reseal(previous, context),
      });
    }
    return endpoints.length;
  });
}
