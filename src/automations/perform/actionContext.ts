import { majorText } from '../actions/amounts.ts';
import { dateIn, msOf, type PlainDate } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { Automating, GuestLinks } from '../context.ts';
import type { Facts, MessageFacts, PropertyFacts, ReviewFacts, TaskFacts } from '../facts/facts.ts';
import { guestLinksFor, linkScope } from '../facts/guestLinks.ts';
import { languageOf } from '../language.ts';
import { propertiesById } from '../facts/mirrorFacts.ts';
import { propertyOfReview } from '../../sync/tables/conversations/reviews.ts';
import type { Plan } from '../plans/table.ts';
import { earlierThan, hasStayed } from '../facts/returning.ts';
import { asksFor, asksForNights, type Conditions } from '../rules/conditions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { scopeOf, type Scope } from '../../kernel/markup/templates.ts';
import { actions } from '../actions/all.ts';
import { nextNights } from './nights.ts';
import { type FreshStay, readStay } from './freshStay.ts';
import { dayFigures } from './dayFigures.ts';
import { readReview } from './review.ts';
import { readTask } from './task.ts';
import { Stopped } from './stopped.ts';
import { type FreshConversation, readConversation } from './conversation.ts';

/** Everything that decides and fills a plan, read just now. */
export interface LoadedContext {
  fresh: FreshStay | null;
  conversation: FreshConversation | null;
  facts: Facts;
  scope: Scope;
  language: string | undefined;
  /** Reservations of the conversation that lie ahead or are under way. */
  liveReservations: readonly string[];
}

/** Reads the stay, the conversation or the review of a plan from upstream. */
export async function loadContext(context: Automating, plan: Plan, rule: LoadedRule): Promise<LoadedContext> {
  const isReply = plan.message_id !== null;
  const early = isReply ? await conversationOf(context, plan) : null;
  const liveReservations = early ? await liveAmong(context, early.reservationCodes) : [];
  const fresh = await stayOf(context, plan, liveReservations);
  const wantsConversation = actions[rule.do.name].speaks || rule.do.name === 'note';
  const id = plan.conversation_id ?? fresh?.wire.conversation_id ?? null;
  const conversation =
    early ??
    (wantsConversation && id !== null ? await conversationOf(context, { ...plan, conversation_id: id }) : null);
  const taskId = namedIn(plan, 'task');
  const task = taskId === undefined ? null : await readTask(context, Number(taskId));
  const review = await reviewOf(context, { plan, rule, fresh });
  const ofTask = await propertyNamed(context, task?.property_id ?? null);
  const property = ofTask ?? fresh?.property ?? (await onlyProperty(context, conversation));
  const day = dateIn(property?.zone ?? context.zone(), msOf(plan.send_at));
  const language = speakerLanguage({ fresh, conversation });
  const facts: Facts = {
    channel_type: fresh?.stay.channel_type ?? conversation?.channel_type ?? null,
    stay: fresh?.stay ?? null,
    property,
    message: messageOf(plan, conversation),
    review,
    task,
    arrivesSameDay: fresh ? await arrivesSameDay(context, fresh) : false,
    day,
    language: language ?? null,
    returning: isAsked(rule, (wanted) => asksFor(wanted, 'returning'))
      ? await isReturning(context, { fresh, conversation }, day)
      : null,
    nextNights: fresh && isAsked(rule, asksForNights) ? await nextNights(context, fresh.stay) : undefined,
  };
  const around = { fresh, conversation, facts, liveReservations };
  const links = await guestLinksFor(context, rule, fresh?.stay.reservation_code);
  return { ...around, language, scope: await scopeFor(context, plan, { ...around, links }) };
}

/** Returns true if a rule asks something, either to act at all or to act without a person. */
function isAsked({ if: wanted, do: action }: LoadedRule, asks: (wanted: Conditions) => boolean): boolean {
  const unless = action.name === 'guest_review' ? action.with.held_unless : undefined;
  return asks(wanted) || (unless !== undefined && asks(unless));
}

/** Returns the task or review of a plan, or undefined if the plan has another subject. */
function namedIn({ subject }: Plan, kind: 'task' | 'review'): string | undefined {
  return subject.startsWith(`${kind}:`) ? subject.slice(kind.length + 1) : undefined;
}

/** Returns the review, or undefined if neither the plan nor its rule concerns one. */
async function reviewOf(
  context: Automating,
  { plan, rule, fresh }: { plan: Plan; rule: LoadedRule; fresh: FreshStay | null },
): Promise<ReviewFacts | null | undefined> {
  const key = namedIn(plan, 'review');
  const isWanted = actions[rule.do.name].readsReview || isAsked(rule, (wanted) => asksFor(wanted, 'reviewed'));
  if (key === undefined && !isWanted) return undefined;
  const code = plan.reservation_code ?? fresh?.stay.reservation_code ?? null;
  return code === null ? null : readReview(context, code, key === undefined ? null : propertyOfReview(key));
}

async function conversationOf(
  context: Automating,
  plan: Pick<Plan, 'conversation_id' | 'message_id'>,
): Promise<FreshConversation> {
  const conversation =
    plan.conversation_id === null ? undefined : await readConversation(context, plan.conversation_id);
  if (!conversation) throw new Stopped('skipped', 'conversation_gone');
  return conversation;
}

async function stayOf(context: Automating, plan: Plan, live: readonly string[]): Promise<FreshStay | null> {
  const { reservation_code } = plan;
  const stay_code = plan.stay_code ?? (await firstStayOf(context, reservation_code));
  if (stay_code !== undefined && reservation_code !== null) {
    const fresh = await readStay(context, { stay_code, reservation_code });
    if (!fresh) throw new Stopped('skipped', 'stay_gone');
    return fresh;
  }
  const [only, ...others] = live;
  if (only === undefined || others.length > 0) return null;
  const codes = await stayCodesOf(context, only);
  const [stay, ...more] = codes;
  if (stay === undefined || more.length > 0) return null;
  return (await readStay(context, { stay_code: stay, reservation_code: only })) ?? null;
}

/** Returns the first stay of a reservation. A review can arrive before its stay. */
async function firstStayOf(context: Automating, reservation_code: string | null): Promise<string | undefined> {
  if (reservation_code === null) return undefined;
  return (await stayCodesOf(context, reservation_code)).toSorted()[0];
}

async function stayCodesOf({ store, connection }: Automating, reservation_code: string): Promise<string[]> {
  const rows = await store.db
    .selectFrom('stays')
    .select('stay_code')
    .where('connection', '=', connection)
    .where('reservation_code', '=', reservation_code)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.stay_code);
}

async function liveAmong({ store, connection, clock, zone }: Automating, codes: readonly string[]): Promise<string[]> {
  const rows = await store.db
    .selectFrom('reservations')
    .select('reservation_code')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), codes))
    .where('status', '=', 'accepted')
    .where('check_out_date', '>=', dateIn(zone(), clock.now()))
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.reservation_code);
}

async function propertyNamed(context: Automating, id: number | null): Promise<PropertyFacts | null> {
  return id === null ? null : ((await propertiesById(context.store.db, context, [id])).get(id) ?? null);
}

async function onlyProperty(
  context: Automating,
  conversation: FreshConversation | null,
): Promise<PropertyFacts | null> {
  const [id, ...others] = conversation?.propertyIds ?? [];
  if (id === undefined || others.length > 0) return null;
  return propertyNamed(context, id);
}

function messageOf({ message_id }: Plan, conversation: FreshConversation | null): MessageFacts | null {
  const said = conversation?.messages.find((one) => one.message_id === message_id);
  return said
    ? { message_id: said.message_id, content: said.content, sent_at: new Date(said.atMs).toISOString() }
    : null;
}

/** Returns true if another stay begins at the property on the day on which this one ends. */
export async function arrivesSameDay(
  { store, connection }: Pick<Automating, 'store' | 'connection'>,
  { stay }: Pick<FreshStay, 'stay'>,
): Promise<boolean> {
  if (stay.property_id === null || stay.property_id === 0) return false;
  const next = await store.db
    .selectFrom('stays')
    .select('stay_code')
    .where('connection', '=', connection)
    .where('property_id', '=', stay.property_id)
    .where('check_in_date', '=', stay.check_out_date)
    .where('status', '=', 'accepted')
    .where('stay_code', '!=', stay.stay_code)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

type Known = Omit<LoadedContext, 'scope' | 'language'> & { links: GuestLinks };

type Speaking = Pick<LoadedContext, 'fresh' | 'conversation'>;

function speakerLanguage({ fresh, conversation }: Speaking): string | undefined {
  const booker = fresh?.wire.guests?.find((one) => one.is_booker) ?? fresh?.wire.guests?.[0];
  return languageOf({
    chosen: fresh?.stay.custom_fields?.['language'],
    country: booker?.country ?? null,
    phone: fresh?.wire.guest_phone ?? conversation?.guest?.phone ?? null,
  });
}

/** Returns true if the guest had an earlier stay. The guest is the booker, or the writer of an inquiry. */
async function isReturning(
  context: Automating,
  { fresh, conversation }: Speaking,
  day: PlainDate,
): Promise<boolean | null> {
  if (!fresh) return conversation?.guest ? hasStayed(context, [conversation.guest], earlierThan(null, day)) : null;
  const { guest_email: email, guest_phone: phone, guests } = fresh.wire;
  const bookers = (guests ?? []).filter((one) => one.is_booker);
  return hasStayed(context, [{ email, phone }, ...bookers], earlierThan(fresh.stay, day));
}

async function scopeFor(context: Automating, plan: Plan, { fresh, conversation, facts, links }: Known): Promise<Scope> {
  const name = fresh?.wire.guest_name ?? conversation?.guest?.name ?? null;
  const account = await context.store.db
    .selectFrom('accounts')
    .select('name')
    .where('connection', '=', context.connection)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const { id = null, name: title = null, address = null } = facts.property ?? {};
  const basis = JSON.parse(plan.basis) as { change?: Record<string, string | null>; date?: string };
  return scopeOf({
    guest: { name, first_name: name?.trim().split(/\s+/)[0] ?? null },
    stay: fresh ? { ...stayScope(fresh, facts), ...linkScope(links) } : {},
    property: { id, name: title, address },
    account: { name: account?.name ?? null },
    message: { text: facts.message?.content ?? null },
    review: reviewScope(facts.review),
    task: taskScope(facts.task),
    change: basis.change ?? {},
    day: basis.date === undefined ? {} : await dayScope(context, basis.date),
  });
}

/** Returns the figures of a day; zeros are included. */
async function dayScope({ store, connection }: Automating, date: PlainDate): Promise<Record<string, unknown>> {
  const figures = await dayFigures(store.db, connection, date);
  return { date, ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])) };
}

function reviewScope(review: Facts['review']): Record<string, unknown> {
  return { score: review?.score ?? null, text: review?.content ?? null };
}

function taskScope(task: TaskFacts | null): Record<string, unknown> {
  if (task === null) return {};
  const { id, type, status, expected_date: date, expected_time: time, staff_name: staff, note } = task;
  return { id, type, status, date, time, staff, note };
}

function amountText(amount: number | null | undefined, currency: string | null | undefined): string | null {
  return typeof amount === 'number' && currency ? majorText(amount, currency) : null;
}

/** Writes the open amount, or null if it is zero or unknown. */
function dueText(amount: number | null | undefined, currency: string | null | undefined): string | null {
  return (amount ?? 0) > 0 ? amountText(amount, currency) : null;
}

/** Returns the values of a stay for templates. */
export function stayScope(
  { wire, stay }: Pick<FreshStay, 'wire' | 'stay'>,
  { arrivesSameDay }: Pick<Facts, 'arrivesSameDay'>,
): Record<string, unknown> {
  const { check_in_details: details, rates, payment } = wire;
  return {
    reservation_code: stay.reservation_code,
    stay_code: stay.stay_code,
    channel_type: stay.channel_type,
    status: stay.status,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    nights: stay.nights,
    guests: stay.number_of_guests,
    arrival_time: stay.arrival,
    departure_time: stay.departure,
    check_in_guide_url: details?.check_in_guide_url ?? null,
    lock_code: details?.lock_code ?? null,
    currency: rates?.total_rate?.currency ?? payment?.currency ?? null,
    total: amountText(rates?.total_rate?.amount, rates?.total_rate?.currency),
    balance: dueText(payment?.balance_amount, payment?.currency),
    deposit: dueText(details?.deposit, details?.deposit_details?.currency ?? payment?.currency),
    same_day_arrival: arrivesSameDay,
    custom_fields: stay.custom_fields,
  };
}
