import { type Html, html } from '../../../kernel/markup/html.ts';
import type { Found } from './find.ts';

/** Renders what was found. */
export function searchPage(question: string, found: readonly Found[]): Html {
  return html`<h1>${question === '' ? 'Search' : `Search: ${question}`}</h1>
    <p class="dim">${answerTo(question, found.length)}</p>
    <ul class="plain results">
      ${found.map(
        ({ kind, title, place, address, excerpt }) =>
          html`<li>
            <span class="badge">${kind}</span> <a href="${address}">${title}</a> <span class="dim">${place}</span>
            <p class="dim">${excerpt}</p>
          </li>`,
      )}
    </ul>`;
}

function answerTo(question: string, count: number): string {
  if (question === '') return 'Type an operation, a field, an event, an error or a word of a guide.';
  if (count === 0) return 'Nothing found. Try fewer or other words.';
  return count === 1 ? 'One result.' : `${count} results.`;
}
