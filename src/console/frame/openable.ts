import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';

/** Builds a form that a button opens; it is open again after it was refused. Works without a script. */
export function openable(visit: Visit, { action, open }: { action: string; open: string }, form: Html): Html {
  return html`<details class="ask" ${visit.refused?.action === action ? 'open' : ''}>
    <summary>${open}</summary>
    ${form}
  </details>`;
}
