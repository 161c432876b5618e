import type { BrowserContext, Page } from 'playwright-core';
import type { Environment } from '../../src/config.ts';
import { addDays, dateIn, type PlainDate } from '../../src/kernel/dates.ts';
import type { Role } from '../../src/kernel/roles.ts';
import { openPages, type Pages } from './pages.ts';
import { type Served, startTestService, type TestService } from './service.ts';

export const PASSWORD = 'seventeen quiet herons';
/** Milliseconds within which an open page shows what happened elsewhere, on a machine that does nothing else. */
const SOON_MS = 1_000;
/** How many loads of the same page that may take instead, where the machine is busy with other tests. */
const SOON_LOADS = 5;

/** Within how many milliseconds a page shows what happens elsewhere, by what the page costs this machine now. */
export async function soon(page: Page): Promise<number> {
  const other = await page.context().newPage();
  const startedAt = performance.now();
  await other.goto(page.url());
  const loadMs = performance.now() - startedAt;
  await other.close();
  return Math.max(SOON_MS, SOON_LOADS * loadMs);
}

/** A service with two houses, and browsers of people who are signed in. */
export interface ConsoleWorld<Service extends Served = TestService> {
  readonly service: Service;
  readonly pages: Pages;
  readonly today: PlainDate;
  /** Ids of the properties Sea House and Hill House. */
  readonly sea: number;
  readonly hill: number;
  /** Returns the address of a page. */
  at(path: string): string;
  /** Returns a date so many days from today. */
  day(days: number): PlainDate;
  /** Books directly, from and to so many days from today. @returns the codes of the reservation */
  book(
    property: number,
    from: number,
    to: number,
    more?: object,
  ): Promise<{ reservation_code: string; stay_code: string }>;
  /** Signs a new person in, in a browser of their own. Without properties: all. */
  person(role?: Role, more?: { properties?: readonly number[]; locale?: string }): Promise<Page>;
  remove(): Promise<void>;
}

/** @param environment settings of the service */
export async function startConsoleWorld(environment: Environment = {}): Promise<ConsoleWorld> {
  return worldOf(await startTestService(environment));
}

/** Adds the two houses and the browsers to a service. */
export async function worldOf<Service extends Served>(service: Service): Promise<ConsoleWorld<Service>> {
  const today = dateIn('Europe/Berlin', Date.now());
  const { property_id: sea } = await service.v3('POST', '/properties', { name: 'Sea House' });
  const { property_id: hill } = await service.v3('POST', '/properties', { name: 'Hill House' });
  await service.settled();
  const pages = await openPages(service.url);
  const at = (path: string) => `${service.url}/console/${path}`;
  let people = 0;
  return {
    service,
    pages,
    today,
    sea,
    hill,
    at,
    day: (days) => addDays(today, days),
    book: (property, from, to, more = {}) =>
      service.v3('POST', '/reservations', {
        property_id: property,
        check_in_date: addDays(today, from),
        check_out_date: addDays(today, to),
        guest_name: 'Grace Hopper',
        number_of_guests: 2,
        rate_amount: 300,
        commission_amount: 0,
        received_amount: 0,
        ...more,
      }),
    async person(role = 'owner', { properties, locale } = {}) {
      people += 1;
      const login = `${role}${people}`;
      const { secret } = await service.portal('POST', '/portal/invites', await invitation(service, role, properties));
      return accept(await pages.person(locale === undefined ? {} : { locale }), at, { secret, login });
    },
    async remove() {
      await pages.close();
      await service.remove();
    },
  };
}

async function invitation(service: Served, role: Role, properties: readonly number[] | undefined): Promise<object> {
  if (role === 'owner') return {};
  const person = {
    name: `The ${role}`,
    role,
    all_properties: properties === undefined,
    property_ids: properties ?? [],
  };
  const { id } = await service.portal('POST', '/portal/sub_accounts', person);
  return { operator_id: id };
}

/** Follows the link with a one-time secret, and chooses a login and a password. */
export async function accept(
  context: BrowserContext,
  at: (path: string) => string,
  { secret, login }: { secret: string; login: string },
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${at('welcome')}#${secret}`);
  await page.fill('#login', login);
  await page.fill('#password', PASSWORD);
  await page.click('main button');
  return page;
}
