import { calendarShareLink } from '../../../contract/calendarShareLinks.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { instantFrom, listText } from '../wireValues.ts';

export const readCalendarShareLinks = rowReader({
  schema: calendarShareLink,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one, { zone }) => ({
    id: one.id,
    scope: one.scope,
    property_ids: listText(one.property_ids),
    url: one.url,
    created_at: instantFrom(one.created_at, zone),
  }),
});

export const calendarShareLinks: MirrorResource = {
  name: 'calendar_share_link',
  table: 'calendar_share_links',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};
