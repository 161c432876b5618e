import type { Environment } from '../../../src/config.ts';
import { type Row, startTestService, type TestService } from '../../support/service.ts';

/** Small, and yet nearly all that can happen is in it. */
export const ORDER = { days: 30, properties: 2, seed: 2833 };

export interface Simulated {
  summary: any;
  /** What `verify` has found. */
  report: any;
  /** What codes and ids do not tell: prices of stays, calendars as marketplaces show them, and what lists hold. */
  prices: Row[];
  calendars: unknown;
  lists: unknown;
}

/** What a simulation does on a service of its own. */
export async function simulated(environment: Environment = {}, { verify = true } = {}): Promise<Simulated> {
  const service = await startTestService(environment);
  try {
    const summary = await service.portal('POST', '/portal/sandbox/simulations', ORDER);
    const seen = { summary, prices: await pricesOf(service), calendars: await calendarsOf(service) };
    return { ...seen, lists: await listsOf(service), report: verify ? await verified(service) : null };
  } finally {
    await service.remove();
  }
}

async function verified(service: TestService): Promise<unknown> {
  await service.settled();
  // Deposits, details and what happens on marketplaces themselves change without an event.
  await service.portal('POST', '/portal/reconcile', {});
  return service.portal('POST', '/portal/verify', {});
}

function pricesOf(service: TestService): Promise<Row[]> {
  const columns = 'check_in_date, check_out_date, rate, commission, status, number_of_guests';
  return service.rows(`select ${columns} from core.stays order by ${columns}`);
}

/** Half a year of every listing, by the marketplace. */
async function calendarsOf(service: TestService): Promise<unknown> {
  const { listings } = await service.v3('GET', '/listings?limit=100');
  const named = listings.map(({ channel_type, listing_id }: Row) => ({ channel_type, listing_id }));
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const body = { listings: named, start_date: at(0), end_date: at(180) };
  const read = await service.v3('POST', '/listings/calendar', body);
  return read.listings.map((one: { channel_type: string; calendar: unknown }) => [one.channel_type, one.calendar]);
}

/** What v3 lists of marketplaces, without names that are made up again each time. */
async function listsOf(service: TestService): Promise<unknown> {
  const { listings, total } = await service.v3('GET', '/listings?channel_type=marketplace_a');
  const { channel_accounts } = await service.v3('GET', '/channel_accounts');
  const { properties } = await service.v3('GET', '/properties');
  const ratios = [];
  for (const { id } of properties) ratios.push((await service.v3('GET', `/pricing_ratios?property_id=${id}`)).channels);
  return {
    total,
    listings: listings.map((one: Row) => [one['channel_type'], one['title'], one['shelf_status'], one['inventory']]),
    accounts: channel_accounts.map((one: Row) => [one['channel_type'], one['username'], one['auth_status']]),
    properties: properties.map((one: Row) => [one['name'], (one['channels'] as Row[]).map((on) => on['channel_type'])]),
    ratios: ratios.map((channels: Row[]) =>
      channels.map((one) => [one['channel_type'], one['ratio'], one['readonly']]),
    ),
  };
}
