import Database from 'better-sqlite3';
import { answerTo, STAY_TEXTS } from './rules.ts';

/** A time in which what was to be said may end unsaid, and is not said twice: from some time before a backup to the arming. */
export interface Gap {
  from: string;
  to: string;
}

export interface Judgement {
  problems: string[];
  /** What became of all that was intended. */
  ends: Map<string, number>;
  /** Texts that nobody knows of whether they went out, by their plan. */
  unknown: { plan_id: string; text: string; said: number }[];
}

interface Intention {
  rule: string;
  /** What it is about: a message, or a stay. */
  about: string;
  text: string;
  /** When it came about. */
  at: string;
}

interface PlanRow {
  plan_id: string;
  rule: string;
  about: string;
  state: string;
  reason: string | null;
}

/** Ends without a word that say why: the guest has written again, or a person has disarmed rules meanwhile. */
const DECLINED: ReadonlySet<string> = new Set(['skipped superseded', 'skipped disarmed']);

/**
 * Compares what the core holds, read from its own tables, with what was intended and with what the mirror says of it.
 * @param waiting plans that people are shown
 */
export function judge(core: string, mirror: string, gaps: readonly Gap[], waiting: ReadonlySet<string>): Judgement {
  const database = new Database(':memory:');
  database.prepare('attach ? as core').run(core);
  database.prepare('attach ? as mirror').run(mirror);
  const rows = <Row>(text: string) => database.prepare<[], Row>(text).all();
  const said = new Map<string, number>();
  for (const { content } of rows<{ content: string }>(
    `select content from core.messages where sender_role != 'guest'`,
  )) {
    said.set(content, (said.get(content) ?? 0) + 1);
  }
  const plans = new Map<string, PlanRow>();
  const problems: string[] = [];
  for (const plan of rows<PlanRow>(
    `select plan_id, rule, state, reason, coalesce(message_id, stay_code) as about from mirror.automation_plans`,
  )) {
    const key = `${plan.rule} ${plan.about}`;
    if (plans.has(key)) problems.push(`duplicate: ${key} has two plans`);
    plans.set(key, plan);
  }
  const tasks = rows<{ stay_code: string; count: number }>(
    `select stay_code, count(*) as count from core.tasks where status != 'cancelled' group by stay_code having count(*) > 1`,
  );
  for (const { stay_code, count } of tasks) problems.push(`duplicate: ${count} tasks for ${stay_code}`);
  const wanted = intentions(rows);
  for (const [text, count] of said) if (count > 1) problems.push(`duplicate: "${text}" was said ${count} times`);
  const known = new Set(wanted.map(({ text }) => text));
  for (const text of said.keys()) if (!known.has(text)) problems.push(`nobody wanted "${text}"`);
  const ends = new Map<string, number>();
  const unknown: Judgement['unknown'] = [];
  for (const one of wanted) {
    const plan = plans.get(`${one.rule} ${one.about}`);
    const times = said.get(one.text) ?? 0;
    const isInGap = gaps.some(({ from, to }) => one.at >= from && one.at <= to);
    const end = plan ? [plan.state, plan.state === 'sent' ? null : plan.reason].filter(Boolean).join(' ') : 'no plan';
    const word = times === 0 ? 'unsaid' : 'said';
    ends.set(`${end}, ${word}`, (ends.get(`${end}, ${word}`) ?? 0) + 1);
    const wrong = wrongEnd({ plan, end, times, isInGap, isShown: plan !== undefined && waiting.has(plan.plan_id) });
    if (wrong) problems.push(`${wrong}: ${one.rule} "${one.text}" of ${one.at} is ${end}, and was said ${times} times`);
    if (plan?.state === 'unknown') unknown.push({ plan_id: plan.plan_id, text: one.text, said: times });
  }
  database.close();
  return { problems, ends, unknown };
}

interface End {
  plan: PlanRow | undefined;
  end: string;
  times: number;
  isInGap: boolean;
  isShown: boolean;
}

/** What is wrong with how an intention has ended; undefined: nothing. */
function wrongEnd({ plan, end, times, isInGap, isShown }: End): string | undefined {
  if (times > 1) return 'duplicate';
  if (plan?.state === 'sent') return times === 1 ? undefined : 'lost';
  if (plan?.state === 'unknown') return isShown ? undefined : 'hidden';
  // What a person has decided after a look into the conversation.
  if (end === 'cancelled person') return times === 1 ? undefined : 'lost';
  if (end === 'failed refused') return times === 0 ? undefined : 'said after all';
  if (end === 'skipped superseded') return times === 0 || isInGap ? undefined : 'said after all';
  return (plan === undefined || DECLINED.has(end)) && isInGap ? undefined : 'lost';
}

function intentions(rows: <Row>(text: string) => Row[]): Intention[] {
  const asked = rows<{ message_id: string; content: string; at: string }>(
    `select message_id, content, sent_at as at from core.messages where sender_role = 'guest'`,
  );
  const stays = rows<{ stay_code: string; reservation_code: string; at: string }>(
    `select stay_code, reservation_code, created_at as at from core.stays where status = 'accepted'`,
  );
  return [
    ...asked.map(({ message_id, content, at }) => ({ rule: 'answer', about: message_id, text: answerTo(content), at })),
    ...stays.flatMap(({ stay_code, reservation_code, at }) =>
      Object.entries(STAY_TEXTS).map(([rule, text]) => ({ rule, about: stay_code, text: text(reservation_code), at })),
    ),
  ];
}
