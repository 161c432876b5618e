import { addDays, dateIn, daysBetween } from './upstream/time.ts';
import type { Upstream } from './upstream/upstream.ts';

const PAGE = 100;
/** Of calendars and nights an answer of bearable size: a hundred of them, so many days. */
const DAYS_OF_ANSWER = 92;
const LEDGER_DAYS = 365;
const REVIEW_DAYS = 180;
const REVIEW_STATUSES = 3;

/** Pages of a list that overlap by a row. Where no total is told, a full last page asks for one more. */
function pages(rows: number, tellsTotal: boolean): number {
  const least = rows <= PAGE ? 1 : 1 + Math.ceil((rows - PAGE) / (PAGE - 1));
  const lastIsFull = rows >= PAGE && (rows - PAGE) % (PAGE - 1) === 0;
  return !tellsTotal && lastIsFull ? least + 1 : least;
}

function windows(from: string, to: string, days: number): number {
  return Math.ceil((daysBetween(from, to) + 1) / days);
}

/** The fewest requests by which everything that is so now can be read once, by route. */
export function leastRequests({ truth, dialect, now }: Upstream, historyFrom: string): Map<string, number> {
  const isDescribed = dialect === 'described';
  const least = new Map<string, number>();
  const need = (route: string, requests: number) => least.set(route, (least.get(route) ?? 0) + requests);
  const today = dateIn(now(), truth.account.zone);
  const inThreeYears = `${Number(today.slice(0, 4)) + 3}${today.slice(4)}`;
  const aYearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;

  // Where nobody tells of the account, a list proves the token.
  need(isDescribed ? '/accounts/me' : '/properties', 1);
  for (const list of [
    'webhooks',
    'income_items',
    'expense_items',
    'income_methods',
    'expense_methods',
    'custom_channels',
  ]) {
    need(`/${list}`, 1);
  }
  const numbered = {
    properties: truth.properties,
    room_types: truth.roomTypes,
    groups: truth.groups,
    tags: truth.tags,
    reservation_tags: truth.stayTags,
    calendar_share_links: truth.shareLinks,
    channel_accounts: truth.channelAccounts,
    listings: truth.listings,
    tasks: truth.tasks,
    staffs: truth.staffs,
    knowledge_bases: truth.knowledge,
  };
  for (const [list, rows] of Object.entries(numbered)) need(`/${list}`, pages(rows.all().length, true));
  // One request for each kind, where one must be named.
  const kinds = isDescribed ? [undefined] : ['message', 'review'];
  for (const kind of kinds) {
    const actions = truth.actions.all().filter(({ type }) => kind === undefined || type === kind);
    need('/automation/actions', pages(actions.length, true));
  }
  need('/reservations', pages(truth.stays.all().length, isDescribed));
  for (let to = inThreeYears; to >= historyFrom; to = addDays(to, -LEDGER_DAYS)) {
    const from = addDays(to, 1 - LEDGER_DAYS);
    const within = truth.entries.all().filter(({ at }) => {
      const date = dateIn(at, truth.account.zone);
      return date >= from && date <= to && date >= historyFrom;
    });
    need('/transactions', pages(within.length, true));
  }
  const talk = new Map<string, number>();
  for (const { fullConversation } of truth.messages.all())
    talk.set(fullConversation, (talk.get(fullConversation) ?? 0) + 1);
  const fullConversations = truth.fullConversations.all().filter(({ id }) => talk.has(id));
  need('/conversations', pages(fullConversations.length, isDescribed));
  for (const { id, channel } of fullConversations) {
    // The public service answers a fullConversation whole.
    need('/conversations/{id}', isDescribed ? pages(talk.get(id) ?? 0, false) : 1);
    if (channel === 'A' || channel === 'site') need('/conversations/{id}/special_offers', 1);
  }
  need('/reviews', REVIEW_STATUSES * windows(historyFrom, inThreeYears, isDescribed ? REVIEW_DAYS : REVIEW_DAYS - 1));
  const groups = (rows: number) => Math.ceil(rows / PAGE);
  const nights = windows(addDays(aYearAgo, 1), addDays(inThreeYears, -1), DAYS_OF_ANSWER);
  need('/availabilities', groups(truth.properties.all().length) * nights);
  const days = windows(addDays(today, -1), inThreeYears, DAYS_OF_ANSWER);
  need('/listings/calendar', groups(truth.listings.all().length) * days);
  return least;
}

/** Where more was asked than the least, and by how much in all. */
export function compareRequests(
  upstream: Upstream,
  least: ReadonlyMap<string, number>,
): { ratio: number; more: string[] } {
  const routes = [...new Set([...upstream.asked.map(({ route }) => route), ...least.keys()])];
  const counts = routes.map((route) => ({ route, asked: upstream.count(route), needed: least.get(route) ?? 0 }));
  const sum = (of: 'asked' | 'needed') => counts.reduce((total, one) => total + one[of], 0);
  return {
    ratio: sum('asked') / sum('needed'),
    more: counts
      .filter(({ asked, needed }) => asked !== needed)
      .map(({ route, asked, needed }) => `${route}: ${asked}, least ${needed}`),
  };
}
