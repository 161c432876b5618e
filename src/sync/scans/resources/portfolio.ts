import { calendarShareLinks, readCalendarShareLinks } from '../../tables/portfolio/calendarShareLinks.ts';
import { propertyGroups, readPropertyGroups } from '../../tables/portfolio/propertyGroups.ts';
import { propertyTags, readPropertyTags } from '../../tables/portfolio/propertyTags.ts';
import { readReservationTags, reservationTags } from '../../tables/portfolio/reservationTags.ts';
import { readRoomTypes, roomTypes } from '../../tables/portfolio/roomTypes.ts';
import { optionalList } from '../pagedList.ts';

export const roomTypesScan = optionalList(roomTypes, async (client, at, reading, options) => {
  const answer = await client.call('listRoomTypes', at, options);
  const { room_types: rows, total } = answer.data;
  return { page: readRoomTypes(rows, answer, reading), total };
});

export const propertyGroupsScan = optionalList(propertyGroups, async (client, at, reading, options) => {
  const answer = await client.call('listPropertyGroups', at, options);
  const { groups: rows, total } = answer.data;
  return { page: readPropertyGroups(rows, answer, reading), total };
});

export const propertyTagsScan = optionalList(propertyTags, async (client, at, reading, options) => {
  const answer = await client.call('listPropertyTags', at, options);
  const { tags: rows, total } = answer.data;
  return { page: readPropertyTags(rows, answer, reading), total };
});

export const reservationTagsScan = optionalList(reservationTags, async (client, at, reading, options) => {
  const answer = await client.call('listReservationTags', at, options);
  const { reservation_tags: rows, total } = answer.data;
  return { page: readReservationTags(rows, answer, reading), total };
});

export const calendarShareLinksScan = optionalList(calendarShareLinks, async (client, at, reading, options) => {
  const answer = await client.call('listCalendarShareLinks', at, options);
  const { calendar_share_links: rows, total } = answer.data;
  return { page: readCalendarShareLinks(rows, answer, reading), total };
});
