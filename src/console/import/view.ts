import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields } from '../frame/form.ts';
import type { Job } from '../setup/services.ts';
import { jobView } from '../setup/view.ts';
import type { Visit } from '../visit.ts';
import { fileForm } from './fileForm.ts';

/** Shows the form for a file. */
export function importView(visit: Visit, job: Job | undefined): Html {
  const words = visit.texts.import;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${job?.state === 'running' ? jobView(visit, job) : ''} ${fileForm(visit)}`;
}

interface Proposal {
  readonly upload: string;
  /** YAML. */
  readonly mapping: string;
  /** What was found, what is in doubt, and the first rows as they would be imported. */
  readonly remarks: readonly string[];
  readonly problem?: string;
}

/** Shows what each column is taken for, and the first rows; nothing is stored before it is confirmed. */
export function mappingView(visit: Visit, { upload, mapping, remarks, problem }: Proposal): Html {
  const words = visit.texts.import;
  return html`<h1>${words.check}</h1>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${visit.texts.form.wrong(problem)}</p>`}
    <p>${words.checkHint}</p>
    ${remarks.length === 0 ? '' : html`<pre class="preview" tabindex="0">${remarks.join('\n')}</pre>`}
    ${actionForm(
      visit,
      { page: 'import', action: 'run' },
      html`${hiddenFields({ upload })}
        <details class="wide" ${problem === undefined ? '' : 'open'}>
          <summary>${words.mapping}</summary>
          <label for="mapping">${words.mappingHint}</label>
          <textarea id="mapping" name="mapping" rows="24" spellcheck="false" class="code">${mapping}</textarea>
        </details>
        <button type="submit">${words.run}</button>
        <a class="button" href="${visit.address('import')}">${words.other}</a>`,
    )}`;
}
