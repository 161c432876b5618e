import { type Html, html } from '../../kernel/markup/html.ts';
import { Html as Markup } from '../../kernel/markup/html.ts';
import { type Look, masthead } from '../../kernel/markup/look.ts';
import { pagesWith } from '../../kernel/markup/page.ts';
import type { Words } from './words.ts';

const { page, policy } = pagesWith(`
:root{--free:#e2f5ea;--free-ink:#0b5a2f;--taken:#e6e8eb;--taken-ink:#4d545c}
@media screen and (prefers-color-scheme:dark){:root{--free:#123c25;--free-ink:#b4ecca;--taken:#2b3036;--taken-ink:#b3bac2}}
body{margin:0 auto;max-width:46rem;padding:calc(var(--gap)*3)}
h1{margin:0 0 .75rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem;overflow-wrap:anywhere}
.switch{float:right;margin:0 0 .5rem 1rem}
nav.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.75rem 0}
nav.row a,nav.row span.off{display:inline-block;min-height:2.75rem;padding:.6rem .9rem;border:1px solid var(--line);border-radius:var(--radius)}
nav.row span.off{color:var(--dim)}
ul.plain{list-style:none;padding:0;margin:.5rem 0}
ul.legend{display:flex;flex-wrap:wrap;gap:.5rem 1rem;padding:0;margin:.5rem 0;list-style:none}
ul.legend span{display:inline-block;width:2rem;text-align:center;margin-right:.4rem;border-radius:.3rem}
.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:1rem;align-items:start}
.months table{width:100%;border-collapse:separate;border-spacing:2px;table-layout:fixed}
caption{text-align:left;font-weight:600;padding:.25rem 0}
.months th{font-weight:500;font-size:.85rem}
abbr{text-decoration:none}
.months td{height:2.4rem;text-align:center;border-radius:.3rem}
.free{background:var(--free);color:var(--free-ink);font-weight:600}
.taken{background:var(--taken);color:var(--taken-ink);text-decoration:line-through}
.past{color:var(--dim)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
table.price{width:100%;border-collapse:collapse}
table.price th,table.price td{text-align:left;padding:.45rem .5rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
table.price td:last-child,table.price th:last-child{text-align:right;padding-right:0;white-space:nowrap}
table.price tfoot th,table.price tfoot td{border-bottom:0;font-weight:650}
form .field{margin:0 0 1rem}
form .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:0 1rem}
label,legend{font-weight:600}
label{display:block}
.field .dim{margin:0 0 .25rem;font-size:.875rem}
input:not([type=checkbox]):not([type=radio]),select,textarea{display:block;width:100%;min-height:2.75rem;padding:.5rem .6rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--radius)}
textarea{min-height:6rem}
[aria-invalid=true]{border-color:var(--bad)!important}
.wrong{margin:.25rem 0 0;color:var(--bad);font-weight:600}
label.tick{display:flex;gap:.6rem;align-items:flex-start;font-weight:400;padding:.5rem 0}
label.tick input{width:1.25rem;height:1.25rem;flex:none;margin:.15rem 0 0}
fieldset{border:1px solid var(--line);border-radius:var(--radius);padding:.5rem 1rem;margin:0 0 1rem}
button,a.button{display:inline-block;min-height:2.75rem;padding:.65rem 1.25rem;font:inherit;font-weight:600;color:var(--button-ink);background:var(--link);border:0;border-radius:var(--radius);text-decoration:none;cursor:pointer}
.note,.bad,.good{padding:.75rem 1rem;border-radius:var(--radius);margin:1rem 0;background:var(--note-paper)}
.bad{background:var(--bad-paper)}
.good{background:var(--stay);color:var(--stay-ink);font-weight:600}
.lines{white-space:pre-line;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.35rem 1rem;margin:.5rem 0}
dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
`);

/** Returns the content policy of these pages: their own forms, the look of the account, and nothing else. */
export function contentPolicy(look?: Look): string {
  return policy("'self'", look);
}

/** What every page has. */
export interface Shell {
  readonly words: Words;
  readonly look: Look | undefined;
  /** The address of the same page in the other language; undefined where there is none. */
  readonly other?: string | undefined;
}

/** Renders a page. */
export function bookPage({ words, look, other }: Shell, title: string, body: Html): string {
  const { texts, language } = words;
  const languages =
    other === undefined
      ? html``
      : html`<p class="switch">
          <a href="${other}" hreflang="${language === 'de' ? 'en' : 'de'}" lang="${language === 'de' ? 'en' : 'de'}"
            >${texts.otherLanguage}</a
          >
        </p>`;
  return page(
    look ? `${title} · ${look.name}` : title,
    html`${masthead(look)}
      <main>
        ${languages}
        <h1>${title}</h1>
        ${body}
      </main>`,
    look,
    language,
  );
}

/** Renders a page with one sentence. */
export function plainPage(shell: Shell, title: string, hint: string): string {
  return bookPage(shell, title, html`<p>${hint}</p>`);
}

/** Renders facts for search engines and maps. It is data, which no browser runs. */
export function structured(data: object): Html {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return new Markup(`<script type="application/ld+json">${text}</script>`);
}

/** Renders what is wrong with a form, as the first thing that is read. */
export function problems(words: Words, given: readonly string[]): Html {
  if (given.length === 0) return html``;
  return html`<div class="bad" role="alert" tabindex="-1" autofocus>
    <p>${words.texts.wrong}</p>
    <ul>
      ${given.map((one) => html`<li>${one}</li>`)}
    </ul>
  </div>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly type?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly more?: Html;
  readonly isRequired?: boolean;
}

/** Renders a field with its label, its hint, and what is wrong with it. */
export function field({ name, label, value, type = 'text', hint, error, more, isRequired = true }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? '' : html`<p class="dim" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${isRequired ? html` required` : ''}${describedBy(name, hint, error)}
      ${more ?? ''}
    />
    ${wrong(name, error)}
  </div>`;
}

export function describedBy(name: string, hint: string | undefined, error: string | undefined): Html {
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(error === undefined ? [] : [`${name}-wrong`])];
  if (ids.length === 0) return html``;
  return html` aria-describedby="${ids.join(' ')}"${error === undefined ? '' : html` aria-invalid="true"`}`;
}

export function wrong(name: string, error: string | undefined): Html {
  return error === undefined ? html`` : html`<p class="wrong" id="${name}-wrong">${error}</p>`;
}
