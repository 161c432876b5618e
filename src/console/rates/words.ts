import { addDays, isPlainDate } from '../../kernel/dates.ts';
import { fromWireAmount } from '../../kernel/money.ts';
import type { Visit } from '../visit.ts';
import type { Plan } from './query.ts';

/** Days of the week as plans name them, from Monday. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
/** A Monday. */
const MONDAY = '2024-01-01';

/** Names a day of the week in the person's language. */
export function dayName({ locale }: Visit, day: string): string {
  const index = DAYS.findIndex((one) => one === day);
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return index === -1 ? day : format.format(Date.parse(addDays(MONDAY, index)));
}

function dayNames(visit: Visit, days: readonly string[]): string {
  const names = DAYS.filter((day) => days.includes(day)).map((day) => dayName(visit, day));
  return new Intl.ListFormat(visit.locale, { type: 'conjunction' }).format(names);
}

/** Says an amount of the management API. */
export function moneyText({ format }: Visit, amount: number, currency: string): string {
  return format.money(fromWireAmount(amount, currency) ?? 0, currency);
}

function seasonDay({ locale, format }: Visit, text: string): string {
  if (isPlainDate(text)) return format.day(text);
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return days.format(Date.parse(`2024-${text}`));
}

/** Says a plan in plain words, one sentence for each fact. */
export function planSentences(visit: Visit, plan: Plan): string[] {
  const words = visit.texts.rates.say;
  const money = (amount: number) => moneyText(visit, amount, plan.currency);
  const percent = (value: number) => visit.format.percent(value / 100);
  const { weekend, guests, stay, payment } = plan;
  const included = guests.included ?? guests.most;
  return [
    words.base(money(plan.base_price)),
    ...(weekend ? [words.weekend(dayNames(visit, weekend.nights), money(weekend.price))] : []),
    ...plan.seasons.map((season) => seasonSentence(visit, plan, season)),
    ...limitSentences(visit, stay).map(sentence),
    ...(stay.lead_days > 0 ? [words.lead(stay.lead_days)] : []),
    words.ahead(stay.ahead_days),
    included < guests.most && guests.extra_price > 0
      ? words.guestsExtra(guests.most, included, money(guests.extra_price))
      : words.guests(guests.most),
    ...(guests.infants_below_age > 0 ? [words.infants(guests.infants_below_age)] : []),
    guests.pets === 0 ? words.noPets : words.pets(guests.pets),
    ...plan.discounts.map((one) => words.discount(one.from_nights, percent(one.percent))),
    ...plan.fees.map((fee) => {
      const per = visit.texts.rates.per[fee.per] ?? fee.per;
      return fee.optional
        ? words.optionalFee(fee.name, money(fee.amount), per)
        : words.fee(fee.name, money(fee.amount), per);
    }),
    ...plan.taxes.map((tax) => `${taxSentence(visit, plan, tax)}.`),
    ...(plan.security_deposit > 0 ? [words.deposit(money(plan.security_deposit))] : []),
    payment.at_booking_percent >= 100
      ? words.allAtOnce
      : words.payment(percent(payment.at_booking_percent), payment.balance_days),
    policySentence(visit, plan),
  ];
}

function sentence(part: string): string {
  return `${part.slice(0, 1).toUpperCase()}${part.slice(1)}.`;
}

function seasonSentence(visit: Visit, plan: Plan, season: Plan['seasons'][number]): string {
  const words = visit.texts.rates.say;
  const money = (amount: number) => moneyText(visit, amount, plan.currency);
  const isYearly = !isPlainDate(season.from);
  const span = words.span(seasonDay(visit, season.from), seasonDay(visit, season.to), isYearly);
  const parts = [
    ...(season.price === undefined ? [] : [words.night(money(season.price))]),
    ...(season.weekend_price === undefined ? [] : [words.weekendNight(money(season.weekend_price))]),
    ...limitSentences(visit, season),
  ];
  return words.season(season.name, span, parts.join('; '));
}

function limitSentences(visit: Visit, of: Plan['stay'] | Plan['seasons'][number]): string[] {
  const words = visit.texts.rates.say;
  const { min_nights, max_nights, arrival_days, departure_days } = of;
  return [
    ...(min_nights === undefined ? [] : [words.atLeast(min_nights)]),
    ...(max_nights === undefined ? [] : [words.atMost(max_nights)]),
    ...(arrival_days ? [words.arrive(dayNames(visit, arrival_days))] : []),
    ...(departure_days ? [words.depart(dayNames(visit, departure_days))] : []),
  ];
}

function taxSentence(visit: Visit, plan: Plan, tax: Plan['taxes'][number]): string {
  const { say, per: units } = visit.texts.rates;
  const per = units[tax.per ?? 'guest_night'] ?? '';
  const amount =
    tax.percent === undefined
      ? `${moneyText(visit, tax.amount ?? 0, plan.currency)} ${per}`
      : visit.format.percent(tax.percent / 100);
  const notes = [
    ...(tax.max_nights === undefined ? [] : [say.taxNights(tax.max_nights)]),
    ...(tax.max_amount === undefined ? [] : [say.taxMost(moneyText(visit, tax.max_amount, plan.currency))]),
    ...(tax.exempt_below_age === undefined ? [] : [say.taxAge(tax.exempt_below_age)]),
  ];
  const said = tax.included ? say.taxIncluded(tax.name, amount) : say.tax(tax.name, amount);
  return [said, ...notes].join(', ');
}

function policySentence(visit: Visit, { cancellation }: Plan): string {
  const { say, policies } = visit.texts.rates;
  if (typeof cancellation === 'string') return say.policy(policies[cancellation] ?? cancellation);
  const steps = cancellation.steps
    .toSorted((a, b) => b.days_before - a.days_before)
    .map((step) => say.step(visit.format.percent(step.refund_percent / 100), step.days_before));
  return say.policy([...steps, say.nothingAfter].join(', '));
}
