import { type Html, html } from '../../../kernel/markup/html.ts';
import { type Guide, guideTarget, type readGuides } from './guides.ts';
import { markdownHtml } from './markdown.ts';

/** Renders a guide with a list of its parts. */
export function guidePage({ text, sections }: Guide, names: ReadonlySet<string>): Html {
  const parts = sections().filter(({ level }) => level === 2);
  return html`<article class="guide">
    ${
      parts.length > 2
        ? html`<details class="parts">
            <summary>On this page</summary>
            <ul class="plain">
              ${parts.map((part) => html`<li><a href="#${part.anchor}">${part.text}</a></li>`)}
            </ul>
          </details>`
        : ''
    }
    ${markdownHtml(text, (target) => guideTarget(target, names))}
  </article>`;
}

/** Renders the list of all guides. */
export function guidesPage(chapters: ReturnType<typeof readGuides>): Html {
  return html`<h1>Guides</h1>
    ${chapters.length === 0 ? html`<p>The guides are not installed here.</p>` : ''}
    <div class="cards">
      ${chapters.map(
        ({ title, guides }) =>
          html`<section class="card">
            <h2>${title.replace(/^Guides: ./, (start) => start.slice(-1).toUpperCase())}</h2>
            <ul class="plain">
              ${guides.map((guide) => html`<li><a href="${guide.address}">${guide.title}</a></li>`)}
            </ul>
          </section>`,
      )}
    </div>`;
}
