import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { planForm } from './form.ts';
import { type AnsweredQuote, type AskedStay, extraField, extrasOf, type StoredRates } from './query.ts';
import { quoteView } from './quoteView.ts';
import { moneyText, planSentences } from './words.ts';

/** A property as a person knows it. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** Shows what every property costs. */
export function ratesView(visit: Visit, properties: readonly Named[], plans: readonly StoredRates[]): Html {
  const words = visit.texts.rates;
  const rows = properties.map(({ id, name }) => {
    const plan = plans.find((one) => one.property_ids.includes(id))?.plan;
    return [
      html`<a href="${visit.address('rates', { property: id })}">${name}</a>`,
      plan ? plan.name : html`<span class="dim">${words.noPlan}</span>`,
      plan ? moneyText(visit, plan.base_price, plan.currency) : '',
    ];
  });
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    <section>
      ${
        rows.length === 0
          ? html`<p class="note">${words.noProperty}</p>`
          : table([words.property, words.name, { head: words.aNight, isAmount: true }], rows)
      }
    </section>`;
}

interface Shown {
  readonly property: Named;
  readonly properties: readonly Named[];
  /** Undefined: it has no plan. */
  readonly rates: StoredRates | undefined;
  /** All plans, for a property that may take over one. */
  readonly plans: readonly StoredRates[];
  readonly asked: AskedStay;
  /** Undefined: nobody has asked yet. */
  readonly answer: AnsweredQuote | undefined;
  readonly problem: string | undefined;
}

/** Shows the plan of a property in words, tries a quote, and changes the plan. */
export function propertyRatesView(visit: Visit, shown: Shown): Html {
  const words = visit.texts.rates;
  const { property, properties, rates } = shown;
  const others = properties.filter(({ id }) => id !== property.id && rates?.property_ids.includes(id));
  const form = planForm(visit, {
    property: property.id,
    rates,
    currency: rates?.plan.currency ?? visit.currency,
    properties,
  });
  return html`<header class="head">
      <h1>${words.planOf(property.name)}</h1>
      <a href="${visit.address('rates')}">${words.all}</a>
    </header>
    ${
      rates
        ? html`${section(
            'words',
            words.inWords,
            others.length === 0 ? '' : words.sharedWith(others.map(({ name }) => name).join(', ')),
            html`<ul class="sentences">
              ${planSentences(visit, rates.plan).map((sentence) => html`<li>${sentence}</li>`)}
            </ul>`,
          )}
          ${section('try', words.try, words.tryHint, tryPart(visit, shown))}`
        : sharePart(visit, shown)
    }
    ${section('edit', rates ? words.edit : words.begin, rates ? '' : words.beginHint, form)}
    ${
      rates
        ? askFirst(visit, {
            page: 'rates',
            action: 'remove',
            at: {},
            open: words.remove,
            consequence: words.removeSays(property.name),
            confirm: words.remove,
            hidden: { property: property.id },
          })
        : ''
    }`;
}

function tryPart(visit: Visit, { rates, asked, answer, problem }: Shown): Html {
  const { texts, connection, connections } = visit;
  const words = texts.rates;
  return html`<form class="form" method="get" action="/console/rates" aria-label="${words.try}">
      ${hiddenFields({ property: asked.property, ...(connections.length > 1 && { connection }) })}
      ${inputField({ of: 'try-', name: 'from', label: words.arrive, type: 'date', value: asked.from, isRequired: true })}
      ${inputField({ of: 'try-', name: 'to', label: words.depart, type: 'date', value: asked.to, isRequired: true })}
      ${partyFields(visit, asked, { of: 'try-', extras: extrasOf(rates?.plan) })}
      <button type="submit" class="second">${words.quote}</button>
    </form>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    ${answer ? quoteView(visit, answer) : ''}`;
}

/**
 * Builds the fields for who comes, and what they choose.
 * @param of what the ids of the fields begin with
 * @param extras names of the fees that may be chosen
 */
export function partyFields(
  visit: Visit,
  asked: Omit<AskedStay, 'property' | 'from' | 'to'>,
  { of, extras }: { of: string; extras: readonly string[] },
): Html {
  const words = visit.texts.rates;
  return html`${inputField({ of, name: 'adults', label: words.adults, type: 'number', min: 1, max: 99, value: asked.adults })}
  ${inputField({ of, name: 'children', label: words.children, hint: words.childrenHint, value: asked.children, longest: 60 })}
  ${inputField({ of, name: 'pets', label: words.pets, type: 'number', min: 0, max: 20, value: asked.pets })}
  ${
    extras.length === 0
      ? ''
      : html`<fieldset class="checks wide">
          <legend>${words.extras}</legend>
          ${extras.map(
            (name, index) =>
              html`<label
                ><input
                  type="checkbox"
                  name="${extraField(index)}"
                  value="${name}"
                  ${asked.extras.includes(name) ? 'checked' : ''}
                />
                ${name}</label
              >`,
          )}
        </fieldset>`
  }`;
}

function sharePart(visit: Visit, { property, properties, plans }: Shown): Html {
  const words = visit.texts.rates;
  if (plans.length === 0) return html``;
  const options = plans.flatMap(({ property_ids, plan }) => {
    const names = properties.filter(({ id }) => property_ids.includes(id)).map(({ name }) => name);
    const [first] = property_ids;
    return first === undefined ? [] : [{ value: first, text: `${names.join(', ')}: ${plan.name}` }];
  });
  return section(
    'share',
    words.share,
    '',
    actionForm(
      visit,
      { page: 'rates', action: 'share', at: { property: property.id } },
      html`${hiddenFields({ property: property.id })} ${choiceField({ name: 'other', label: words.property, options })}
        <button type="submit" class="second">${words.shareNow}</button>`,
    ),
  );
}
