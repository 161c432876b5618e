import { addDays, dateIn, nightsOf, type PlainDate } from '../../../src/kernel/dates.ts';
import type { MailServer } from '../../channels/mail/support/mailServer.ts';
import type { TestService } from '../../support/service.ts';
import type { OpenMarketplace } from './marketplace.ts';
import { ZONE } from './timeline.ts';
import type { Buyer, Truth } from './truth.ts';

const HOUR = 3_600_000;
/** Nights ahead that are looked at. */
const AHEAD = 170;
/** A sale is known here after this; a night is free again after that. */
const KNOWN_MS = 3 * HOUR;
const FREE_MS = 30 * HOUR;
/** Between two looks of a person. */
const SEEN_MS = 26 * HOUR;

export interface Judgement {
  readonly problems: readonly string[];
  readonly conflicts: number;
  readonly mailsSent: number;
  readonly guestMessages: number;
  /** What the rules have come to, by rule and end. */
  readonly ends: readonly string[];
}

interface Looking {
  readonly service: TestService;
  readonly truth: Truth;
  readonly markets: readonly OpenMarketplace[];
  readonly flats: readonly number[];
  readonly now: number;
}

/** Holds the calendar as it is now against the truth. @returns what is wrong */
export async function judgeNow({ service, truth, markets, flats, now }: Looking): Promise<string[]> {
  const today = dateIn(ZONE, now);
  const at = new Date(now).toISOString();
  const problems: string[] = [];
  const doubles = await service.rows(
    `select a.stay_code as one, b.stay_code as other from core.stays a join core.stays b
     on a.property_id = b.property_id and a.id < b.id and a.check_in_date < b.check_out_date
     and b.check_in_date < a.check_out_date where a.property_id <> 0
     and a.status in ('accepted', 'wait_pay', 'wait_accept') and b.status in ('accepted', 'wait_pay', 'wait_accept')`,
  );
  for (const { one, other } of doubles) problems.push(`${at}: ${String(one)} and ${String(other)} hold the same night`);
  const path = `/availabilities?property_ids=${flats.join(',')}&start_date=${today}&end_date=${addDays(today, AHEAD)}`;
  const { properties } = await service.v3('GET', path);
  const until = addDays(today, AHEAD);
  for (const [flat, id] of flats.entries()) {
    const shown = properties.find((one: { id: number }) => one.id === id)?.availabilities ?? [];
    const closed = new Set<PlainDate>(
      shown.filter((one: { available: boolean }) => !one.available).map((one: { date: PlainDate }) => one.date),
    );
    const ahead = ({ from, to }: { from: PlainDate; to: PlainDate }) =>
      nightsOf(from, to).filter((night) => night >= today && night <= until);
    const buyers = truth.standing.filter((buyer) => buyer.flat === flat);
    for (const buyer of buyers) {
      if (now - knownSince(buyer, { truth, markets }) < KNOWN_MS || isBesideAnother(buyer, truth, now)) continue;
      const free = ahead(buyer.sale).filter((night) => !closed.has(night));
      if (free.length > 0) problems.push(`${at}: flat ${flat}, ${nameOf(buyer)}: free are ${free.join(' ')}`);
    }
    const lately = truth.past.filter((one) => one.flat === flat && now - one.endedMs < FREE_MS);
    const whose = new Set([...buyers.map(({ sale }) => sale), ...lately].flatMap(ahead));
    const ghosts = [...closed].filter((night) => !whose.has(night)).toSorted();
    if (ghosts.length > 0) problems.push(`${at}: flat ${flat} is closed for nobody: ${ghosts.join(' ')}`);
  }
  return problems;
}

function nameOf({ place, sale }: Buyer): string {
  return `sale ${sale.id} at ${place}, ${sale.from} to ${sale.to}`;
}

/** Since when the calendar that has a sale could be read. */
function knownSince({ place, sale, since }: Buyer, { truth, markets }: Pick<Looking, 'truth' | 'markets'>): number {
  if (place === 'direct' || !('reference' in sale)) return since;
  const listing = markets.flatMap(({ listings }) => listings).find(({ sales }) => sales.includes(sale));
  return Math.max(since, (listing && truth.faults.get(listing)) ?? 0);
}

/** Who has bought what another one had is in the box, until a person comes. */
function isBesideAnother(buyer: Buyer, { conflicts }: Truth, now: number): boolean {
  return conflicts.some(({ buyers, overMs }) => buyers.includes(buyer) && now - (overMs ?? now) < SEEN_MS);
}

interface Ending {
  readonly service: TestService;
  readonly truth: Truth;
  readonly sent: MailServer['sent'];
  /** Mails of people, and those of robots and servers. */
  readonly letters: { readonly messages: number; readonly robots: number };
  readonly now: number;
}

/** Judges the whole time when it is over. */
export async function judgeHouse({ service, truth, sent, letters, now }: Ending): Promise<Judgement> {
  const problems: string[] = [];
  for (const { buyers, since, seenMs, overMs } of truth.conflicts) {
    if (seenMs !== undefined || (overMs ?? now) - since < SEEN_MS) continue;
    problems.push(`nobody saw that ${nameOf(buyers[0])} and ${nameOf(buyers[1])} bought the same night`);
  }
  problems.push(...(await judgeMail(service, sent, letters)));
  problems.push(...(await judgeRules(service)));
  problems.push(...(await judgeMirror(service)));
  problems.push(...(await judgeBooks(service)));
  const [row] = await service.rows(`select count(*) as n from core.messages where sender_role = 'guest'`);
  return {
    problems,
    conflicts: truth.conflicts.length,
    mailsSent: sent.length,
    guestMessages: Number(row?.['n']),
    ends: await endsOfRules(service),
  };
}

async function endsOfRules(service: TestService): Promise<string[]> {
  const rows = await service.rows(
    `select rule || ': ' || state || ' ' || coalesce(reason, '') || ' ' || count(*) as said
     from mirror.automation_plans group by rule, state, reason order by rule, state, reason`,
  );
  return rows.map(({ said }) => String(said));
}

async function judgeMail(
  service: TestService,
  sent: MailServer['sent'],
  { messages, robots }: Ending['letters'],
): Promise<string[]> {
  const problems: string[] = [];
  const ids = sent.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? '');
  for (const id of new Set(ids)) {
    const times = ids.filter((one) => one === id).length;
    if (times > 1) problems.push(`${id} was sent ${times} times`);
  }
  const [counts] = await service.rows(
    `select (select count(*) from core.messages where sender_role = 'guest') as guests,
       (select count(*) from core.messages where sender_role <> 'guest') as ours,
       (select count(*) from core.mail_log where direction = 'in' and kind in ('automatic', 'bounce')) as robots,
       (select count(*) from core.mail_log where direction = 'in' and kind in ('unreadable', 'held', 'own')) as strange`,
  );
  const say = (name: string, is: unknown, should: number) => {
    if (is !== should) problems.push(`${name}: ${String(is)} in place of ${should}`);
  };
  say('messages of guests', counts?.['guests'], messages);
  say('mails of robots and servers', counts?.['robots'], robots);
  say('mails that were taken for something else', counts?.['strange'], 0);
  say('messages of the house, of the mails that were sent', counts?.['ours'], sent.length);
  const answered = await service.rows(
    `select message_id, count(*) as n from mirror.automation_sends
     where outcome = 'sent' and message_id is not null group by 1 having count(*) > 1`,
  );
  for (const { message_id: id, n } of answered) problems.push(`message ${String(id)} was answered ${String(n)} times`);
  const doubled = await service.rows(
    `select rule, stay_code, count(*) as n from mirror.automation_sends
     where outcome = 'sent' and action = 'message' and message_id is null group by 1, 2 having count(*) > 1`,
  );
  for (const { rule, stay_code: stay, n } of doubled)
    problems.push(`${String(rule)} was said ${String(n)} times to ${String(stay)}`);
  return problems;
}

/** A stay without its cleaning or its confirmation, since the rule came too late for it. */
async function judgeRules(service: TestService): Promise<string[]> {
  const late = await service.rows(
    `select p.rule, p.stay_code from mirror.automation_plans p
     join mirror.stays s on s.connection = p.connection and s.stay_code = p.stay_code
     where p.reason = 'too_late' and (p.rule = 'turnover' or (p.rule = 'booking-confirmation' and s.conversation_id is not null))`,
  );
  return late.map(({ rule, stay_code: stay }) => `${String(rule)} came too late for ${String(stay)}`);
}

async function judgeMirror(service: TestService): Promise<string[]> {
  const columns = 'stay_code, check_in_date, check_out_date, status, property_id';
  const [ours, mirrored] = await Promise.all(
    ['core', 'mirror'].map((half) => service.rows(`select ${columns} from ${half}.stays order by stay_code`)),
  );
  return JSON.stringify(ours) === JSON.stringify(mirrored)
    ? []
    : [`the mirror has ${mirrored?.length} stays, the core ${ours?.length}, and they differ`];
}

async function judgeBooks(service: TestService): Promise<string[]> {
  const verified = await service.portal('POST', '/portal/exports/verify', {});
  const said = JSON.stringify(verified);
  const problems = verified.clean === true ? [] : [`verify says ${said.slice(0, 400)}`];
  const { map } = await service
    .portal('GET', '/portal/exports/map')
    .catch((error: unknown) => ({ map: String(error) }));
  if (map !== undefined && JSON.stringify(map).includes('Unmapped'))
    problems.push(`the books have no place for ${JSON.stringify(map).slice(0, 300)}`);
  return problems;
}
