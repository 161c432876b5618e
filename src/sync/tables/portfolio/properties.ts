import { property } from '../../../contract/properties.ts';
import { listingKey } from '../listings/calendar.ts';
import { propertyListings } from './propertyListings.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { knownOf, listText } from '../wireValues.ts';

export const readProperties = rowReader({
  schema: property,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    status: one.status,
    address: one.address,
    longitude: one.longitude,
    latitude: one.latitude,
    time_zone: one.time_zone,
    tags: listText(knownOf(one.tags?.map((tag) => tag.name))),
    groups: listText(knownOf(one.groups?.map((group) => group.name))),
  }),
  aside: (one) => ({
    listings: (one.channels ?? []).flatMap(({ channel_type, listing_id, currency }) =>
      channel_type === null || listing_id === null
        ? []
        : [{ listing: listingKey({ channel_type, listing_id }), currency }],
    ),
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
