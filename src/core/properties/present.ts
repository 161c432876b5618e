import type { z } from 'zod';
import type { property } from '../../contract/properties.ts';
import type { PropertyRow } from '../database.ts';

type Property = z.output<typeof property>;

/** Returns the public form of a property. */
export function presentProperty(
  row: PropertyRow,
  { channels, groups, tags }: Pick<Property, 'channels' | 'groups' | 'tags'>,
): Property {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    address: row.address,
    longitude: row.longitude,
    latitude: row.latitude,
    channels,
    groups,
    tags,
    time_zone: row.time_zone,
    check_in_time: row.check_in_time,
    check_out_time: row.check_out_time,
  };
}
