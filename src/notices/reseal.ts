import type { SealedPlace } from '../sync/privacy/sealMirror.ts';
import { settingsContext } from './tables.ts';

/** The column with sealed settings of places. */
export const sealedSettings: readonly SealedPlace[] = [
  {
    name: 'notice_places.settings',
    table: 'notice_places',
    key: ['connection', 'place_id'],
    columns: ['settings'],
    turned: ({ settings, connection, place_id }, turn) => ({
      settings: turn(String(settings), settingsContext(String(connection), String(place_id))),
    }),
  },
];
