import { z } from 'zod';
import { prepared } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';

/** A property as its operator settles it. */
export interface PropertyDetails {
  id: number;
  name: string;
  address: string;
  latitude: string;
  longitude: string;
  time_zone: string;
  check_in_time: string;
  check_out_time: string;
}

const rowsOf = prepared((db: MirrorDb, arg: { connection: string }) =>
  db
    .selectFrom('properties')
    .where('connection', '=', arg.connection)
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'address', 'latitude', 'longitude', 'time_zone', 'raw'])
    .orderBy('name')
    .orderBy('id'),
);

/** The times stand in the row as it came; other deployments may not have them. */
const times = z.object({
  check_in_time: z.string().nullish(),
  check_out_time: z.string().nullish(),
});

export async function readPropertyDetails(db: MirrorDb, connection: string): Promise<PropertyDetails[]> {
  const rows = await rowsOf(db, { connection });
  return rows.map(({ id, raw, ...row }) => {
    const { check_in_time, check_out_time } = times.safeParse(JSON.parse(raw)).data ?? {};
    return {
      id,
      name: row.name ?? '',
      address: row.address ?? '',
      latitude: row.latitude ?? '',
      longitude: row.longitude ?? '',
      time_zone: row.time_zone ?? '',
      check_in_time: check_in_time ?? '',
      check_out_time: check_out_time ?? '',
    };
  });
}
