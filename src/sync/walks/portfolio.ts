import type { CallOptions, Client } from '../../client/client.ts';
import { calendarShareLinks, readCalendarShareLinks } from '../mirror/calendarShareLinks.ts';
import { propertyGroups, readPropertyGroups } from '../mirror/propertyGroups.ts';
import { propertyTags, readPropertyTags } from '../mirror/propertyTags.ts';
import { readReservationTags, reservationTags } from '../mirror/reservationTags.ts';
import type { MirrorResource, Page, Reading } from '../mirror/resource.ts';
import { readRoomTypes, roomTypes } from '../mirror/roomTypes.ts';
import { type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

/** One answer of a list, read. */
interface ReadPage {
  page: Page;
  rows: readonly { id: number }[];
  total: number;
}
type Read = (
  client: Client,
  at: { offset: number; limit: number },
  read: Reading,
  how: CallOptions,
) => Promise<ReadPage>;

/** A list whose pages come newest id first and take no filter. */
function pagedList(rows: MirrorResource, read: Read): Walk {
  return {
    resource: rows.name,
    rows,
    mayBeAbsent: true,
    cost: (count) => Math.ceil(count / (PAGE_ROWS - 1)) + 1,
    async *steps(asking) {
      let total = 0;
      const list = {
        first: { bound: '', offset: 0 },
        fetch: ({ offset }: { offset: number }) => fetchPage(asking, read, offset),
      };
      for await (const { page, number, fresh, total: told } of walkList(list)) {
        total = told;
        yield { rows: fresh, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
    async count({ client, purpose, signal, reading }) {
      return (await read(client, { offset: 0, limit: 1 }, reading, { purpose, signal })).total;
    },
  };
}

async function fetchPage(asking: Asking, read: Read, offset: number): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    read(asking.client, { offset, limit: PAGE_ROWS }, asking.reading, options),
  );
  const { page, rows, total } = answer;
  const places = rows.map((row) => ({ at: '', id: row.id }));
  return { page, number, places, answered: page.rows.length + page.unfit.length, total };
}

export const roomTypesWalk = pagedList(roomTypes, async (client, at, reading, options) => {
  const answer = await client.call('listRoomTypes', at, options);
  const { room_types: rows, total } = answer.data;
  return { page: readRoomTypes(rows, answer, reading), rows, total };
});

export const propertyGroupsWalk = pagedList(propertyGroups, async (client, at, reading, options) => {
  const answer = await client.call('listPropertyGroups', at, options);
  const { groups: rows, total } = answer.data;
  return { page: readPropertyGroups(rows, answer, reading), rows, total };
});

export const propertyTagsWalk = pagedList(propertyTags, async (client, at, reading, options) => {
  const answer = await client.call('listPropertyTags', at, options);
  const { tags: rows, total } = answer.data;
  return { page: readPropertyTags(rows, answer, reading), rows, total };
});

export const reservationTagsWalk = pagedList(reservationTags, async (client, at, reading, options) => {
  const answer = await client.call('listReservationTags', at, options);
  const { reservation_tags: rows, total } = answer.data;
  return { page: readReservationTags(rows, answer, reading), rows, total };
});

export const calendarShareLinksWalk = pagedList(calendarShareLinks, async (client, at, reading, options) => {
  const answer = await client.call('listCalendarShareLinks', at, options);
  const { calendar_share_links: rows, total } = answer.data;
  return { page: readCalendarShareLinks(rows, answer, reading), rows, total };
});
