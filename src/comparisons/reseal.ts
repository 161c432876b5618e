import type { SealedPlace } from '../sync/privacy/sealMirror.ts';
import { urlContext } from './tables.ts';

/** The column with sealed addresses of calendars. */
export const sealedUrls: readonly SealedPlace[] = [
  {
    name: 'comparisons.url',
    table: 'comparisons',
    key: ['connection', 'comparison_id'],
    columns: ['url'],
    turned: ({ url, connection, comparison_id }, turn) => ({
      url: turn(String(url), urlContext(String(connection), String(comparison_id))),
    }),
  },
];
