import type { Span } from '../../channels/direct/bookings/freeNights.ts';
import type { Refusal } from '../../channels/direct/bookings/quotes.ts';
import type { Refused } from '../../channels/direct/quotes/quote.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import type { Words } from './words.ts';

/** Says why something cannot be booked, and what could be instead. */
export function renderRefusal(words: Words, refusal: Refusal, at: { base: string; propertyId: number }): Html {
  const { texts } = words;
  if (refusal.refused === 'rules')
    return box(
      html`<ul>
        ${refusal.reasons.map((reason) => html`<li>${ruleText(words, reason)}</li>`)}
      </ul>`,
    );
  const said = html`<p>${texts.refused[refusal.refused]}</p>`;
  if (refusal.refused !== 'taken' || refusal.nearby.length === 0) return box(said);
  return box(
    html`${said}
      <p>${texts.nearby}</p>
      <ul>
        ${refusal.nearby.map((span) => html`<li><a href="${spanAddress(words, span, at)}">${texts.span(words.day(span.check_in_date), words.day(span.check_out_date))}</a></li>`)}
      </ul>`,
  );
}

function box(content: Html): Html {
  return html`<div class="bad" role="alert" tabindex="-1" autofocus>${content}</div>`;
}

function spanAddress(
  { language }: Words,
  span: Span,
  { base, propertyId }: { base: string; propertyId: number },
): string {
  const { check_in_date: from, check_out_date: to } = span;
  return `${base}?${new URLSearchParams({ property: String(propertyId), from, to, month: from.slice(0, 7), lang: language }).toString()}`;
}

function ruleText(words: Words, { reason, limit = 0, weekdays = [], date }: Refused): string {
  const { rulesRefused: texts } = words.texts;
  const days = weekdays.map((day) => words.weekday(day)).join(', ');
  switch (reason) {
    case 'dates':
      return texts.dates;
    case 'min_stay':
      return texts.min_stay(limit);
    case 'max_stay':
      return texts.max_stay(limit);
    case 'arrival_day':
      return texts.arrival_day(days);
    case 'departure_day':
      return texts.departure_day(days);
    case 'lead_time':
      return date === undefined ? texts.other : texts.lead_time(words.day(date));
    case 'too_far':
      return date === undefined ? texts.other : texts.too_far(words.day(date));
    case 'guests':
      return texts.guests(limit);
    case 'pets':
      return texts.pets(limit);
    default:
      return texts.other;
  }
}
