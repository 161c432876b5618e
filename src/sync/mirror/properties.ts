import { property } from '../../contract/properties.ts';
import { listingKey } from './calendar.ts';
import { propertyListings } from './propertyListings.ts';
import { type MirrorResource, rowReader } from './resource.ts';

export const readProperties = rowReader({
  schema: property,
  keyField: 'id',
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    status: one.status,
    address: one.address,
    longitude: one.longitude,
    latitude: one.latitude,
    time_zone: one.time_zone ?? null,
    tags: JSON.stringify(one.tags.map((tag) => tag.name)),
    groups: JSON.stringify(one.groups.map((group) => group.name)),
  }),
  aside: (one) => ({
    listings: one.channels.map((posting) => ({ listing: listingKey(posting), currency: posting.currency ?? null })),
  }),
});

export const properties: MirrorResource = {
  name: 'property',
  table: 'properties',
  keyColumn: 'id',
  groupColumn: 'id',
  sideTables: propertyListings,
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listProperties', { id: Number(key), limit: 1 }, options);
    return readProperties(answer.data.properties, answer, reading);
  },
};
