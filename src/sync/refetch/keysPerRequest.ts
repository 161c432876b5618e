import { AVAILABILITY_PROPERTIES } from '../../contract/availabilities.ts';
import { CALENDAR_LISTINGS } from '../../contract/listings.ts';
import { rowResources } from '../tables/resources.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';

/** The number of keys of a resource that one request can look up. */
export const keysPerRequest = new Map([
  ...Object.keys(rowResources).map((resource) => [resource, 1] as const),
  [AVAILABILITY, AVAILABILITY_PROPERTIES] as const,
  [CALENDAR, CALENDAR_LISTINGS] as const,
]);
