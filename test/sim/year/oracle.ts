import Database from 'better-sqlite3';
import { fingerprintOf } from '../../../src/automations/fingerprint.ts';
import { reasons } from '../../../src/automations/reasons.ts';
import { withOffset } from '../../../src/kernel/dates.ts';

const ZONE = 'Europe/Berlin';

export interface YearJudgement {
  problems: string[];
  /** What the rules have come to, by rule and end. */
  ends: Map<string, number>;
  /** Milliseconds from a message of a guest to its answer, the shortest first; of those without a wait of their own. */
  answers: { byDay: number[]; byNight: number[] };
  messages: number;
  guestMessages: number;
}

interface Sent {
  plan_id: string;
  rule: string;
  action: string;
  stay_code: string | null;
  conversation_id: string;
  message_id: string | null;
  fingerprint: string;
  started_at: string;
}

export interface YearTruth {
  core: string;
  mirror: string;
  /** By conversation, as the marketplace knows them. */
  guests: ReadonlyMap<string, string>;
  quiet: { from: string; to: string };
  /** Rules that answer messages, and those of them that answer at once. */
  answering: readonly string[];
  atOnce: readonly string[];
  nowMs: number;
}

const FINAL = new Set(['sent', 'tested', 'skipped', 'cancelled', 'failed']);

/** Holds what the core has against what the ledger, the plans and the log say of it. */
export function judgeYear(truth: YearTruth): YearJudgement {
  const database = new Database(':memory:');
  database.prepare('attach ? as core').run(truth.core);
  database.prepare('attach ? as mirror').run(truth.mirror);
  const rows = <Row>(text: string) => database.prepare<[], Row>(text).all();
  const problems: string[] = [];
  const sent = rows<Sent>(
    `select plan_id, rule, action, stay_code, conversation_id, message_id, fingerprint, started_at
     from mirror.automation_sends where outcome = 'sent' and action in ('message', 'draft')`,
  );
  const said = rows<{ conversation_id: string; content: string; created_at: string }>(
    `select conversation_id, content, created_at from core.messages where sender_role != 'guest'`,
  );
  const asked = rows<{ conversation_id: string; message_id: string; created_at: string }>(
    `select conversation_id, message_id, created_at from core.messages where sender_role = 'guest'`,
  );
  problems.push(...onceEach(sent, said), ...rightStays(rows, truth, sent, said), ...withinHours(truth, sent, said));
  problems.push(...explained(rows, truth, asked.length));
  const ends = new Map<string, number>();
  for (const { rule, end, count } of rows<{ rule: string; end: string; count: number }>(
    `select rule, state || coalesce(' ' || reason, '') as end, count(*) as count
     from mirror.automation_plans group by 1, 2 order by 1, 2`,
  )) {
    ends.set(`${rule}: ${end}`, count);
  }
  const answers = latencies(truth, sent, said, asked);
  database.close();
  return { problems, ends, answers, messages: sent.length, guestMessages: asked.length };
}

type Said = { conversation_id: string; content: string; created_at: string };

function onceEach(sent: readonly Sent[], said: readonly Said[]): string[] {
  const problems: string[] = [];
  const count = (of: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const one of of) counts.set(one, (counts.get(one) ?? 0) + 1);
    return counts;
  };
  const answered = sent.flatMap((one) => (one.message_id === null ? [] : [`${one.conversation_id} ${one.message_id}`]));
  for (const [key, times] of count(answered))
    if (times > 1) problems.push(`message ${key} was answered ${times} times`);
  const told = count(said.map((one) => `${one.conversation_id} ${fingerprintOf(one.content)}`));
  for (const [key, times] of count(sent.map((one) => `${one.conversation_id} ${one.fingerprint}`))) {
    if (told.get(key) !== times) problems.push(`${key} was sent ${times} times and stands there ${told.get(key) ?? 0}`);
  }
  return problems;
}

/** A message about a stay stands in the conversation of that stay, and speaks to its guest. */
function rightStays(
  rows: <Row>(text: string) => Row[],
  { guests }: YearTruth,
  sent: readonly Sent[],
  said: readonly Said[],
): string[] {
  const conversations = new Map(
    rows<{ stay_code: string; conversation_id: string }>(
      `select s.stay_code, r.conversation_id from core.stays s
       join core.reservations r on r.account_id = s.account_id and r.reservation_code = s.reservation_code`,
    ).map((row) => [row.stay_code, row.conversation_id]),
  );
  const texts = new Map(said.map((one) => [`${one.conversation_id} ${fingerprintOf(one.content)}`, one.content]));
  return sent.flatMap((one) => {
    const text = texts.get(`${one.conversation_id} ${one.fingerprint}`) ?? '';
    const name = guests.get(one.conversation_id)?.split(' ')[0];
    const isConversation = one.stay_code === null || conversations.get(one.stay_code) === one.conversation_id;
    const isNamed = name === undefined || text.includes(` ${name},`);
    return isConversation && isNamed ? [] : [`${one.rule} of ${one.stay_code} in ${one.conversation_id}: "${text}"`];
  });
}

function withinHours({ quiet }: YearTruth, sent: readonly Sent[], said: readonly Said[]): string[] {
  const ours = new Set(sent.map((one) => `${one.conversation_id} ${one.fingerprint}`));
  return said
    .filter((one) => ours.has(`${one.conversation_id} ${fingerprintOf(one.content)}`))
    .filter(({ created_at }) => isQuiet(created_at, quiet))
    .map((one) => `said in quiet hours: ${one.created_at} "${one.content}"`);
}

function isQuiet(moment: string, { from, to }: YearTruth['quiet']): boolean {
  const time = withOffset(moment, ZONE).slice(11, 16);
  return time >= from || time < to;
}

/** Whatever did not come to a deed has a reason with words, in the plan and in the log. */
function explained(
  rows: <Row>(text: string) => Row[],
  { answering, nowMs }: YearTruth,
  guestMessages: number,
): string[] {
  const problems: string[] = [];
  const known = new Set(Object.keys(reasons));
  const logged = new Set(
    rows<{ plan_id: string; reason: string }>(
      `select distinct plan_id, reason from mirror.automation_log where reason is not null and plan_id is not null`,
    ).map((row) => `${row.plan_id} ${row.reason}`),
  );
  for (const plan of rows<{ plan_id: string; rule: string; state: string; reason: string | null; not_after: string }>(
    'select plan_id, rule, state, reason, not_after from mirror.automation_plans',
  )) {
    const { plan_id, rule, state, reason, not_after } = plan;
    if (state === 'sent') continue;
    if (!FINAL.has(state)) {
      if (Date.parse(not_after) < nowMs) problems.push(`${rule} ${plan_id} is ${state} after its time`);
      continue;
    }
    if (reason === null || !known.has(reason)) problems.push(`${rule} ${plan_id} is ${state} without a reason`);
    else if (!logged.has(`${plan_id} ${reason}`)) problems.push(`${rule} ${plan_id}: the log does not say ${reason}`);
  }
  for (const rule of answering) {
    const seen = rows<{ count: number }>(
      `select count(distinct plan_id) as count from mirror.automation_log where rule = '${rule}' and plan_id is not null`,
    )[0]?.count;
    if (seen !== guestMessages) problems.push(`${rule} says something of ${seen} of ${guestMessages} messages`);
  }
  return problems;
}

function latencies(
  { quiet, atOnce }: YearTruth,
  sent: readonly Sent[],
  said: readonly Said[],
  asked: readonly { message_id: string; created_at: string }[],
): YearJudgement['answers'] {
  const [byDay, byNight]: [number[], number[]] = [[], []];
  const written = new Map(asked.map((one) => [one.message_id, one.created_at]));
  const told = new Map<string, Said[]>();
  for (const one of said) {
    const key = `${one.conversation_id} ${fingerprintOf(one.content)}`;
    told.set(key, [...(told.get(key) ?? []), one]);
  }
  for (const one of sent) {
    if (one.message_id === null || !atOnce.includes(one.rule)) continue;
    const at = written.get(one.message_id);
    const answer = told
      .get(`${one.conversation_id} ${one.fingerprint}`)
      ?.find(({ created_at }) => created_at >= one.started_at);
    if (at === undefined || !answer) continue;
    (isQuiet(at, quiet) ? byNight : byDay).push(Date.parse(answer.created_at) - Date.parse(at));
  }
  const sorted = (all: number[]) => all.toSorted((a, b) => a - b);
  return { byDay: sorted(byDay), byNight: sorted(byNight) };
}

/** The value that so many of a hundred do not exceed. @param sorted the smallest first */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}
