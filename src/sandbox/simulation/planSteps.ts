import type { Dice } from '../../kernel/seeded.ts';
import type { Channel, Dated, PlannedReservation, Step } from './scenario.ts';
import {
  ABOUT_GUESTS,
  ANSWERS,
  CATEGORIES,
  COUNTRIES,
  FEEDBACK,
  POLICIES,
  PRAISE,
  QUESTIONS,
  REPLIES,
} from './words.ts';

/** A reservation before its first step. Days are counted from today. */
interface Made {
  channel: Channel;
  kind: PlannedReservation['kind'];
  arrival: number;
  nights: number;
  guests: number;
  /** Day on which it was made. */
  day: number;
}

/**
 * Latest days of reservations that have lapsed. A request to book waits for a day, an unpaid reservation for half an
 * hour.
 */
const LAPSED_DAYS = { request: -2, unpaid: -1 } as const;

/** Plans the steps of a reservation until today, in the order of time. */
export function stepsOf(dice: Dice, made: Made): Dated<Step>[] {
  const answered = answerTo(dice, made);
  if (!answered.stands) return answered.steps;
  const steps = [...answered.steps];
  const cancelled = cancelDay(dice, made);
  const until = cancelled ?? 0;
  const add = (day: number, ...more: Step[]) => {
    for (const step of more) if (day <= until && day <= 0) steps.push({ day: Math.max(day, made.day), step });
  };
  conversation(dice, made, add);
  const alteration = alterationOf(dice, made, until);
  const stay = { ...made, nights: alteration?.step.nights ?? made.nights };
  if (alteration) steps.push(alteration);
  if (made.channel === 'marketplace_a' && dice.percent(50))
    add(made.day + 1, { kind: 'details', policy: dice.pick(POLICIES) });
  checkIn(dice, stay, add);
  money(dice, stay, add);
  if (cancelled !== undefined) steps.push({ day: cancelled, step: { kind: 'cancel' } });
  else reviews(dice, stay, add);
  // The sort is stable, so that steps of one day stay in order.
  return steps.toSorted((a, b) => a.day - b.day);
}

type Add = (day: number, ...steps: Step[]) => void;

/** Plans the end of a waiting reservation's wait. */
function answerTo(dice: Dice, { kind, day }: Made): { steps: Dated<Step>[]; stands: boolean } {
  if (kind === 'instant') return { steps: [], stands: true };
  const then = (step: Step, stands: boolean) => ({ steps: [{ day, step }], stands });
  const shape = dice.between(1, 100);
  // Some have only just arrived.
  if (day === 0 && shape > 60) return { steps: [], stands: false };
  const canLapse = day <= LAPSED_DAYS[kind];
  if (shape <= 8 && canLapse) return then({ kind: 'lapse' }, false);
  if (shape <= 18) return then({ kind: 'give_up' }, false);
  if (kind === 'unpaid') return then({ kind: 'pay', share: 100 }, true);
  const over = dice.percent(70) ? 'v3' : 'app';
  return shape <= 30 ? then({ kind: 'decline', over }, false) : then({ kind: 'approve', over }, true);
}

function cancelDay(dice: Dice, { arrival, day }: Made): number | undefined {
  if (!dice.percent(11)) return undefined;
  const last = Math.min(arrival - 1, 0);
  return last < day ? undefined : dice.between(day, last);
}

type Alteration = Extract<Step, { kind: 'alter' }>;

/** Plans another night or more guests, agreed before the arrival. */
function alterationOf(dice: Dice, made: Made, until: number): Dated<Alteration> | undefined {
  if (!dice.percent(8)) return undefined;
  const last = Math.min(made.arrival, until);
  if (last < made.day) return undefined;
  const [nights, guests] = [made.nights + dice.between(0, 1), made.guests + dice.between(0, 2)];
  return { day: dice.between(made.day, last), step: { kind: 'alter', nights, guests } };
}

function conversation(dice: Dice, { day, arrival }: Made, add: Add): void {
  const questions = dice.between(0, 2);
  for (let asked = 0; asked < questions; asked += 1) {
    const on = dice.between(day, Math.max(day, arrival));
    add(on, { kind: 'message', from: 'guest', over: 'app', content: dice.pick(QUESTIONS), picture: dice.percent(15) });
    const over = on === 0 ? 'v3' : 'app';
    const isAnswered = dice.percent(70);
    if (isAnswered) add(on, { kind: 'message', from: 'host', over, content: dice.pick(ANSWERS), picture: false });
  }
}

function checkIn(dice: Dice, { arrival, nights, guests }: Made, add: Add): void {
  const registers = dice.percent(60);
  for (let guest = 0; guest < (registers ? Math.min(guests, 2) : 0); guest += 1) {
    add(arrival - dice.between(0, 5), {
      kind: 'register',
      country: dice.pick(COUNTRIES),
      pictures: dice.between(0, 2),
    });
  }
  if (registers && dice.percent(30)) add(arrival - 1, { kind: 'guide_image' });
  if (arrival + nights > 0) add(arrival, { kind: 'stay_status', status: 'in_house' });
  else if (dice.percent(80)) add(arrival + nights, { kind: 'stay_status', status: 'stay_completed' });
}

function money(dice: Dice, { kind, day, arrival, nights }: Made, add: Add): void {
  if (kind !== 'unpaid') {
    // Marketplaces pay out after the arrival; some in two parts, some late.
    const inParts = dice.percent(10);
    if (inParts) add(arrival, { kind: 'pay', share: 50 });
    if (dice.percent(92)) add(arrival + (inParts ? 7 : 1), { kind: 'pay', share: 100 });
  }
  if (!dice.percent(30)) return;
  const amount = dice.between(2, 6) * 50;
  const step = (event: Extract<Step, { kind: 'deposit' }>['event'], share = amount): Step => {
    return { kind: 'deposit', event, amount: share };
  };
  add(day, step('required'));
  add(Math.max(day, arrival - dice.between(0, 3)), step('paid'));
  const end = arrival + nights + 2;
  const shape = dice.between(1, 100);
  if (shape <= 5) add(end, step('deducted'));
  else if (shape <= 20) add(end, step('deducted', 30), step('refunded', amount - 30));
  else if (shape <= 30) add(end, step('refunded', 50), step('refunded', amount - 50));
  else add(end, shape <= 70 ? step('refunded') : step('returned'));
}

/** Plans the mutual reviews after the stay. A review is shown when both sides have written, or at once. */
function reviews(dice: Dice, { channel, arrival, nights }: Made, add: Add): void {
  const left = arrival + nights;
  const scores = channel === 'marketplace_c' ? [6, 10] : [3, 5];
  const guestWrites = dice.percent(70);
  const hostWrites = dice.percent(60);
  if (guestWrites && dice.percent(30)) add(left, { kind: 'announce_review' });
  if (hostWrites) add(left + 2, { kind: 'host_review', score: dice.between(3, 5), content: dice.pick(ABOUT_GUESTS) });
  if (!guestWrites) return;
  add(left + 3, {
    kind: 'review',
    score: dice.between(scores[0] ?? 3, scores[1] ?? 5),
    category: dice.pick(CATEGORIES),
    content: dice.pick(PRAISE),
    feedback: dice.percent(20) ? dice.pick(FEEDBACK) : null,
  });
  if (dice.percent(35)) {
    add(left + 4, { kind: 'reply', over: dice.percent(50) ? 'app' : 'v3', content: dice.pick(REPLIES) });
  }
}
