import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import type { ReportInfo } from './read.ts';
import { titleOf } from './values.ts';

/** Shows every report by its subject, each with one sentence. */
export function catalogueView(visit: Visit, reports: readonly ReportInfo[]): Html {
  const words = visit.texts.reports;
  const subjects = [...new Set(reports.map(({ subject }) => subject))];
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    <div class="catalogue">
      ${subjects.map(
        (subject) =>
          html`<section aria-labelledby="about-${subject}">
            <h2 id="about-${subject}">${words.subjects[subject] ?? subject}</h2>
            <ul>
              ${reports
                .filter((one) => one.subject === subject)
                .map(
                  ({ name, title }) =>
                    html`<li>
                      <a href="${visit.address('reports', { report: name })}">${titleOf(visit, name)}</a>
                      <span class="dim">${words.sentences[name] ?? title}</span>
                    </li>`,
                )}
            </ul>
          </section>`,
      )}
    </div>`;
}
