import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import type { Plan, StoredRates } from './query.ts';
import { DAYS, dayName } from './words.ts';

/** Empty rows below those that a plan has. */
const EMPTY_ROWS = 2;
/** Steps of a cancellation policy of one's own. */
export const STEPS = 3;
/** Nights from which the two discounts hold that have a field. */
export const WEEK = 7;
export const MONTH = 28;
/** Ways in which a tax is counted. */
export const TAX_KINDS = ['percent', 'guest_night', 'guest', 'night', 'stay'] as const;
export const FEE_UNITS = ['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'] as const;
const POLICIES = ['flexible', 'moderate', 'strict', 'custom'] as const;
/** The action that saves a plan. */
export const SAVE = 'save';

/** The field of a row: `season_0_from`. */
export function rowField(of: 'season' | 'fee' | 'tax' | 'step', index: number, field: string): string {
  return `${of}_${index}_${field}`;
}

/** Returns how many rows a form has for a list. */
export function rowCount(list: readonly unknown[] | undefined): number {
  return (list?.length ?? 0) + EMPTY_ROWS;
}

interface Shown {
  readonly property: number;
  /** Undefined: the property has no plan. */
  readonly rates: StoredRates | undefined;
  readonly currency: string;
  readonly properties: readonly { readonly id: number; readonly name: string }[];
}

/** Builds the form for the usual fields of a plan; everything else in it stays as it is. */
export function planForm(visit: Visit, { property, rates, currency, properties }: Shown): Html {
  const words = visit.texts.rates;
  const plan = rates?.plan;
  return actionForm(
    visit,
    { page: 'rates', action: SAVE, at: { property }, label: rates ? words.edit : words.begin },
    html`${hiddenFields({ property, currency, ...(rates && { seen_id: rates.id, seen_version: rates.version }) })}
      ${group(words.parts.price, pricePart(visit, plan, currency))} ${group(words.parts.guests, guestPart(visit, plan))}
      ${folded(visit, words.parts.stay, '', stayPart(visit, plan))}
      ${folded(visit, counted(words.parts.seasons, plan?.seasons), words.seasonsHint, seasonPart(visit, plan))}
      ${folded(visit, counted(words.parts.fees, plan?.fees), words.feesHint, feePart(visit, plan))}
      ${folded(visit, counted(words.parts.taxes, plan?.taxes), words.taxesHint, taxPart(visit, plan))}
      ${folded(visit, words.parts.payment, '', paymentPart(visit, plan))}
      ${properties.length > 1 ? sharingPart(visit, { property, properties, shared: rates?.property_ids ?? [] }) : ''}
      <button type="submit">${visit.texts.form.save}</button>`,
  );
}

function group(title: string, content: Html): Html {
  return html`<fieldset class="wide form">
    <legend>${title}</legend>
    ${content}
  </fieldset>`;
}

/** Folds away what many plans leave as it is; all of it is open again in a form that was refused. */
function folded({ refused }: Visit, title: string, hint: string, content: Html): Html {
  return html`<details class="wide" ${refused?.action === SAVE ? 'open' : ''}>
    <summary>${title}</summary>
    ${hint === '' ? '' : html`<p class="dim">${hint}</p>`}
    <div class="form">${content}</div>
  </details>`;
}

function counted(title: string, list: readonly unknown[] = []): string {
  return list.length === 0 ? title : `${title} (${list.length})`;
}

type Value = string | number | undefined;

function value(visit: Visit, field: string, otherwise: Value): string {
  return typed(visit, SAVE, field, otherwise === undefined ? '' : String(otherwise));
}

function field(visit: Visit, name: string, label: string, otherwise: Value, more: object = {}): Html {
  return inputField({ name, label, value: value(visit, name, otherwise), ...more });
}

/** A field for an amount, with as many decimals as somebody types. */
function amount(visit: Visit, name: string, label: string, otherwise: Value, more: object = {}): Html {
  return field(visit, name, label, otherwise, { type: 'number', min: 0, step: 'any', ...more });
}

function whole(visit: Visit, name: string, label: string, otherwise: Value, more: object = {}): Html {
  return field(visit, name, label, otherwise, { type: 'number', min: 0, ...more });
}

function tick({ refused }: Visit, name: string, label: string, otherwise: boolean): Html {
  const isOn = refused?.action === SAVE ? refused.fields[name] !== undefined : otherwise;
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="on" ${isOn ? 'checked' : ''} /> ${label}</label
  >`;
}

function dayTicks(visit: Visit, name: string, label: string, otherwise: readonly string[]): Html {
  const { refused } = visit;
  const ticked = refused?.action === SAVE ? [refused.fields[name] ?? []].flat() : otherwise;
  return html`<fieldset class="wide">
    <legend>${label}</legend>
    <div class="checks">
      ${DAYS.map(
        (day) =>
          html`<label
            ><input type="checkbox" name="${name}" value="${day}" ${ticked.includes(day) ? 'checked' : ''} />
            ${dayName(visit, day)}</label
          >`,
      )}
    </div>
  </fieldset>`;
}

function pricePart(visit: Visit, plan: Plan | undefined, currency: string): Html {
  const words = visit.texts.rates;
  const discount = (nights: number) => plan?.discounts.find((one) => one.from_nights === nights)?.percent;
  return html`${field(visit, 'name', words.name, plan?.name ?? 'Standard', { isRequired: true, longest: 60 })}
  ${amount(visit, 'base_price', words.base(currency), plan?.base_price, { isRequired: true })}
  ${amount(visit, 'weekend_price', words.weekendPrice, plan?.weekend?.price)}
  ${amount(visit, 'week', words.week, discount(WEEK), { max: 100 })}
  ${amount(visit, 'month', words.month, discount(MONTH), { max: 100 })}
  ${dayTicks(visit, 'weekend_night', words.weekendNights, plan?.weekend?.nights ?? ['friday', 'saturday'])}`;
}

function guestPart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  const { guests } = plan ?? {};
  return html`${whole(visit, 'most', words.most, guests?.most ?? 2, { isRequired: true, min: 1, max: 99 })}
  ${whole(visit, 'included', words.included, guests?.included, { min: 1, max: 99 })}
  ${amount(visit, 'extra_price', words.extraPrice, guests?.extra_price)}
  ${whole(visit, 'infants_below_age', words.infants, guests?.infants_below_age, { max: 17 })}
  ${whole(visit, 'pets_most', words.petsMost, guests?.pets, { max: 20 })}`;
}

function stayPart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  const { stay } = plan ?? {};
  return html`${whole(visit, 'min_nights', words.minNights, stay?.min_nights, { min: 1 })}
    ${whole(visit, 'max_nights', words.maxNights, stay?.max_nights, { min: 1 })}
    ${whole(visit, 'lead_days', words.leadDays, stay?.lead_days)}
    ${whole(visit, 'ahead_days', words.aheadDays, stay?.ahead_days)}
    <p class="dim">${words.anyDay}</p>
    ${dayTicks(visit, 'arrival', words.arrivalDays, stay?.arrival_days ?? [])}
    ${dayTicks(visit, 'departure', words.departureDays, stay?.departure_days ?? [])}`;
}

/** Builds a row for each entry of a list, and some for more. */
function rows<Row>(list: readonly Row[], row: (one: Row | undefined, index: number) => Html): Html[] {
  return Array.from({ length: rowCount(list) }, (_, index) => row(list[index], index));
}

function seasonPart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  return html`${rows(plan?.seasons ?? [], (season, index) => {
    const name = (of: string) => rowField('season', index, of);
    return html`<fieldset class="wide form">
      <legend>${season ? words.season(season.name) : words.newSeason}</legend>
      ${field(visit, name('name'), words.name, season?.name, { longest: 60 })}
      ${field(visit, name('from'), words.from, season?.from, { longest: 10 })}
      ${field(visit, name('to'), words.to, season?.to, { longest: 10 })}
      ${amount(visit, name('price'), words.price, season?.price)}
      ${amount(visit, name('weekend_price'), words.weekendPrice, season?.weekend_price)}
      ${whole(visit, name('min_nights'), words.minNights, season?.min_nights, { min: 1 })}
      ${whole(visit, name('max_nights'), words.maxNights, season?.max_nights, { min: 1 })}
      ${dayTicks(visit, name('arrival'), words.arrivalDays, season?.arrival_days ?? [])}
      ${dayTicks(visit, name('departure'), words.departureDays, season?.departure_days ?? [])}
    </fieldset>`;
  })}`;
}

function feePart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  return html`${rows(plan?.fees ?? [], (fee, index) => {
    const name = (of: string) => rowField('fee', index, of);
    return html`<fieldset class="wide form">
      <legend>${fee ? words.fee(fee.name) : words.newFee}</legend>
      ${field(visit, name('name'), words.name, fee?.name, { longest: 60 })}
      ${amount(visit, name('amount'), words.amount, fee?.amount)}
      ${choiceField({
        name: name('per'),
        label: words.perWhat,
        options: FEE_UNITS.map((unit) => ({ value: unit, text: words.per[unit] ?? unit })),
        chosen: value(visit, name('per'), fee?.per ?? 'stay'),
      })}
      ${tick(visit, name('taxable'), words.taxable, fee?.taxable ?? true)}
      ${tick(visit, name('optional'), words.optional, fee?.optional ?? false)}
    </fieldset>`;
  })}`;
}

function taxPart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  return html`${rows(plan?.taxes ?? [], (tax, index) => {
    const name = (of: string) => rowField('tax', index, of);
    const kind = tax?.amount === undefined ? 'percent' : (tax.per ?? 'guest_night');
    return html`<fieldset class="wide form">
      <legend>${tax ? words.tax(tax.name) : words.newTax}</legend>
      ${field(visit, name('name'), words.name, tax?.name, { longest: 60 })}
      ${choiceField({
        name: name('kind'),
        label: words.taxKind,
        options: TAX_KINDS.map((one) => ({
          value: one,
          text: one === 'percent' ? words.percentOfPrice : (words.per[one] ?? one),
        })),
        chosen: value(visit, name('kind'), kind),
      })}
      ${amount(visit, name('value'), words.taxValue, tax?.percent ?? tax?.amount)}
      ${whole(visit, name('max_nights'), words.taxMaxNights, tax?.max_nights, { min: 1 })}
      ${amount(visit, name('max_amount'), words.taxMaxAmount, tax?.max_amount)}
      ${whole(visit, name('exempt'), words.taxExempt, tax?.exempt_below_age, { min: 1, max: 99 })}
      ${tick(visit, name('included'), words.includedTax, tax?.included ?? false)}
    </fieldset>`;
  })}`;
}

function paymentPart(visit: Visit, plan: Plan | undefined): Html {
  const words = visit.texts.rates;
  const { payment, cancellation = 'moderate' } = plan ?? {};
  const steps = typeof cancellation === 'string' ? [] : cancellation.steps;
  return html`${amount(visit, 'security_deposit', words.deposit, plan?.security_deposit)}
  ${amount(visit, 'at_booking_percent', words.atBooking, payment?.at_booking_percent ?? 100, { max: 100 })}
  ${whole(visit, 'balance_days', words.balanceDays, payment?.balance_days ?? 30)}
  ${choiceField({
    name: 'policy',
    label: words.policy,
    options: POLICIES.map((one) => ({ value: one, text: words.policies[one] ?? one })),
    chosen: value(visit, 'policy', typeof cancellation === 'string' ? cancellation : 'custom'),
  })}
  ${Array.from({ length: Math.max(STEPS, steps.length) }, (_, index) => {
    const name = (of: string) => rowField('step', index, of);
    return html`<fieldset class="wide form">
      <legend>${words.step(index + 1)}</legend>
      ${whole(visit, name('days'), words.stepDays, steps[index]?.days_before)}
      ${amount(visit, name('percent'), words.stepPercent, steps[index]?.refund_percent, { max: 100 })}
    </fieldset>`;
  })}`;
}

function sharingPart(
  visit: Visit,
  given: { property: number; properties: Shown['properties']; shared: readonly number[] },
): Html {
  const words = visit.texts.rates;
  const { refused } = visit;
  const chosen = refused?.action === SAVE ? [refused.fields['also'] ?? []].flat().map(Number) : given.shared;
  const others = given.properties.filter(({ id }) => id !== given.property);
  return html`<fieldset class="wide">
    <legend>${words.parts.properties}</legend>
    <div class="checks">
      ${others.map(
        ({ id, name }) =>
          html`<label
            ><input type="checkbox" name="also" value="${id}" ${chosen.includes(id) ? 'checked' : ''} /> ${name}</label
          >`,
      )}
    </div>
  </fieldset>`;
}
