import { properties, readProperties } from '../../tables/portfolio/properties.ts';
import { pagedList } from '../pagedList.ts';

export const propertiesScan = pagedList(properties, async (client, at, reading, options) => {
  const answer = await client.call('listProperties', at, options);
  const { properties: rows, total } = answer.data;
  return { page: readProperties(rows, answer, reading), total };
});
