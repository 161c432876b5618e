import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm } from '../frame/form.ts';
import type { Visit } from '../visit.ts';

/** Builds the form that takes a file and shows what it would be taken for. */
export function fileForm(visit: Visit): Html {
  const words = visit.texts.import;
  return actionForm(
    visit,
    { page: 'import', action: 'file', at: {}, hasFiles: true },
    html`<div class="field">
        <label for="file">${words.file}</label>
        <p id="file-hint" class="dim">${words.fileHint}</p>
        <input
          id="file"
          name="file"
          type="file"
          required
          accept=".csv,.txt,.gz,.xlsx,text/csv"
          aria-describedby="file-hint"
        />
      </div>
      <button type="submit">${words.look}</button>`,
  );
}
