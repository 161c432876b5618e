import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { type Guide, guideForm } from './guide.ts';
import type { PropertyDetails } from './query.ts';

/** Shows all properties, and the form for another one. */
export function propertiesView(visit: Visit, all: readonly PropertyDetails[]): Html {
  const words = visit.texts.properties;
  const rows = all.map(({ id, name, address, check_in_time, check_out_time, time_zone }) => [
    html`<a href="${visit.address('properties', { property: id })}">${name || `#${id}`}</a>`,
    address,
    check_in_time,
    check_out_time,
    time_zone,
  ]);
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${section(
      'add',
      words.add,
      '',
      actionForm(
        visit,
        { page: 'properties', action: 'add' },
        html`${inputField({ name: 'name', label: words.name, value: typed(visit, 'add', 'name'), isRequired: true, longest: 100 })}
          <button type="submit">${words.addNow}</button>`,
      ),
    )}
    <section>
      ${
        rows.length === 0
          ? html`<p class="note">${words.none}</p>`
          : table([words.name, words.address, words.checkIn, words.checkOut, words.timeZone], rows)
      }
    </section>`;
}

/** Shows the form for one property. */
export function propertyView(visit: Visit, property: PropertyDetails, guide: Guide): Html {
  const words = visit.texts.properties;
  const field = (name: keyof PropertyDetails & keyof typeof words, more: object = {}) =>
    inputField({
      name,
      label: String(words[name]),
      value: typed(visit, 'change', name, String(property[name])),
      ...more,
    });
  return html`<h1>${property.name}</h1>
    ${actionForm(
      visit,
      { page: 'properties', action: 'change' },
      html`${hiddenFields({ id: property.id })} ${field('name', { isRequired: true, longest: 100 })}
        ${field('address', { longest: 300 })} ${field('latitude', { longest: 20 })}
        ${field('longitude', { longest: 20 })} ${field('time_zone', { isRequired: true, longest: 64 })}
        ${field('check_in_time', { type: 'time' })} ${field('check_out_time', { type: 'time' })}
        <button type="submit">${visit.texts.form.save}</button>`,
    )}
    ${guideForm(visit, property, guide)}
    <p><a href="${visit.address('channels', { property: property.id })}">${words.channels(property.name)}</a></p>
    <p><a href="${visit.address('rates', { property: property.id })}">${words.rates(property.name)}</a></p>
    <p><a href="${visit.address('properties')}">${words.all}</a></p>`;
}
