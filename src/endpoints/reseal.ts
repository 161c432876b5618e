import type { Reseal } from '../kernel/seal.ts';
import type { SealedPlace } from '../sync/privacy/sealMirror.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import { secretContext } from './context.ts';
import { changeEndpoint } from './table.ts';
import { endpointUrlContext } from './tables.ts';

/**
 * Encrypts the secrets of all endpoints with another key.
 * @returns the number of endpoints
 */
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

/** The columns with sealed addresses of endpoints. */
export const sealedPlaces: readonly SealedPlace[] = [
  {
    name: 'endpoints.url',
    table: 'endpoints',
    key: ['connection', 'endpoint_id'],
    columns: ['url'],
    turned: ({ url, connection, endpoint_id }, turn) => ({
      url: turn(String(url), endpointUrlContext(String(connection), String(endpoint_id))),
    }),
  },
];
