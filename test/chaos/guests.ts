import { setTimeout as wait } from 'node:timers/promises';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { call, type Reached, type Row, rowsOf, until, v3 } from '../support/service.ts';
import { promise, type Verdict } from './scenario.ts';

/** A rule that answers each guest who asks. */
export const ANSWERING_RULE = `
name: wifi
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
max_per_hour: 10000
do:
  message: { text: "The network is called Mill." }
`;

const MARKETPLACE = 'marketplace_a';
const REST_MS = 150;

export interface Guests {
  /** Threads in which a guest has asked, and the service has taken the question. */
  asked: Set<string>;
  stop(): Promise<void>;
}

/** Guests of a marketplace who book a night each and ask a question that a rule answers, at one service after the other. */
export async function letGuestsAsk(services: () => readonly Reached[], token: string): Promise<Guests> {
  const asked = new Set<string>();
  const today = instantOf(Date.now()).slice(0, 10);
  let turn = 0;
  let over = false;
  const act = async (path: string, body: object): Promise<any> => {
    const all = services();
    const service = all[turn++ % all.length];
    if (service === undefined) throw new Error('there is no service to ask');
    // When the connection breaks, nobody knows what became of it.
    const answer = await call(service, 'POST', `/portal/sandbox/${path}`, { body }).catch(() => undefined);
    return answer?.http === 200 ? answer.json : undefined;
  };
  const [first] = services();
  if (first === undefined) throw new Error('there is no service to ask');
  const { property_id } = await v3(first, token, 'POST', '/properties', { name: 'House of a marketplace' });
  const { channel_account_id } = await act('channel_accounts', { channel_type: MARKETPLACE });
  const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });

  async function askAll(): Promise<void> {
    for (let night = 1; !over; night += 1) {
      const stay = await act('bookings', {
        channel_type: MARKETPLACE,
        listing_id,
        check_in_date: addDays(today, night),
        check_out_date: addDays(today, night + 1),
        guest: { name: `Guest ${night}` },
      });
      if (stay !== undefined) {
        const { conversation_id } = stay;
        const taken = await act('messages', { conversation_id, content: 'Is there wifi?' });
        if (taken !== undefined) asked.add(conversation_id);
      }
      await wait(REST_MS);
    }
  }
  const asking = askAll();
  return {
    asked,
    async stop() {
      over = true;
      await asking;
    },
  };
}

/** Waits until no answer is on its way. */
export async function answersSettled(service: Reached, limitMs: number): Promise<void> {
  const open = `select state, count(*) as n from mirror.automation_plans
    where state in ('planned', 'sending', 'verifying') group by state`;
  let seen: Row[] = [];
  const isDone = async () => {
    seen = await rowsOf(service, open);
    return seen.length === 0;
  };
  await until(isDone, () => `every answer to be sent or held: ${JSON.stringify(seen)}`, limitMs);
}

/** Whether each guest whose question was taken got one answer, or waits for a person, and nobody got two. */
export async function judgeAnswers(service: Reached, { asked }: Guests): Promise<Verdict[]> {
  const rows = await rowsOf(
    service,
    `select conversation_id, sum(case when sender_role = 'guest' then 1 else 0 end) as questions,
       sum(case when sender_role = 'host' then 1 else 0 end) as answers
     from core.messages group by conversation_id`,
  );
  const threads = new Map(rows.map((row) => [String(row['conversation_id']), row]));
  const questionless = [...asked].filter((id) => Number(threads.get(id)?.['questions'] ?? 0) === 0);
  const twice = rows.filter((row) => Number(row['answers']) > 1);
  const silent = [...asked].filter((id) => Number(threads.get(id)?.['answers'] ?? 0) === 0);
  const held = await heldActions(service, silent);
  return [
    promise(`${questionless.length} of ${asked.size} questions lost`, '0', questionless.length === 0),
    promise(`${twice.length} of ${threads.size} guests answered twice`, '0', twice.length === 0),
    promise(
      `${silent.length} guests without an answer, ${held} of them before a person`,
      'each of them',
      held === silent.length,
    ),
  ];
}

/** Of these threads, how many have an answer that may have been sent and waits for a person, who can look. */
async function heldActions(service: Reached, threads: readonly string[]): Promise<number> {
  if (threads.length === 0) return 0;
  const list = threads.map((id) => `'${id}'`).join(', ');
  const [row] = await rowsOf(
    service,
    `select count(*) as n from mirror.automation_plans where state = 'unknown' and conversation_id in (${list})`,
  );
  return Number(row?.['n']);
}
