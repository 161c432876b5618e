import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import type { Mistake } from './answers.ts';

/** A rule to begin with. It does nothing until its state is another one. */
export const NEW_FILE = `name: my-rule
about: Says what it is for.
state: draft
when: 2 days before check_in at 16:00
do:
  message:
    text:
      en: "Hello {{ guest.first_name }}, …"
`;

interface Edited {
  /** Left out: a new file. */
  name: string | undefined;
  text: string;
  mistakes: readonly Mistake[];
  version: string | undefined;
}

/** Shows a file of rules in a form, with each mistake at its line. */
export function fileView(visit: Visit, { name, text, mistakes, version }: Edited): Html {
  const words = visit.texts.rules;
  // The version that was opened stays with what was typed, so that nobody's change is lost.
  const opened = typed(visit, 'write', 'version', version ?? '');
  return html`<header class="head">
      <h1>${name ?? words.newFile}</h1>
      <p><a href="${visit.address('rules')}">${words.allRules}</a></p>
    </header>
    ${mistakes.length > 0 ? mistakeLines(visit, text, mistakes) : ''}
    ${actionForm(
      visit,
      { page: 'rules', action: 'write' },
      html`${
          name === undefined
            ? inputField({
                name: 'file',
                label: words.fileName,
                value: typed(visit, 'write', 'file', 'my-rule.yaml'),
                isRequired: true,
                longest: 100,
              })
            : html`${hiddenFields({ file: name, version: opened })}`
        }
        <div class="wide">
          <label for="text">${words.fileText}</label>
          <textarea
            id="text"
            name="text"
            class="code"
            rows="${Math.min(40, text.split('\n').length + 2)}"
            spellcheck="false"
          >
${text}</textarea>
          <p class="dim">${words.fileHint}</p>
        </div>
        <button type="submit">${visit.texts.form.save}</button>`,
    )}`;
}

/** Shows the lines around each mistake, and under its line what is wrong there. */
function mistakeLines(visit: Visit, text: string, mistakes: readonly Mistake[]): Html {
  const lines = text.split('\n');
  const words = visit.texts.rules;
  const near = (line: number) => mistakes.some((mistake) => Math.abs(mistake.line - line) <= AROUND);
  return html`<section aria-labelledby="mistakes">
    <h2 id="mistakes">${words.mistakes(mistakes.length)}</h2>
    <ol class="lines">
      ${lines.map((line, index) => {
        const at = index + 1;
        const here = mistakes.filter((mistake) => mistake.line === at);
        if (!near(at)) return html``;
        return html`<li value="${at}" class="${here.length > 0 ? 'wrong' : ''}">
          <code>${line === '' ? ' ' : line}</code>
          ${here.map(({ path, problem }) => html`<p class="bad">${path} ${problem}</p>`)}
        </li>`;
      })}
    </ol>
  </section>`;
}

/** Lines that are shown before and after a mistake. */
const AROUND = 2;
