import type { Texts } from '../en.ts';
import { actions } from './recordActions.ts';

/** Texts of record in German. */
export const record: Texts['record'] = {
  title: 'Protokoll',
  hint: 'Wer was geändert hat, von welchem Wert auf welchen und auf welchem Weg. Werte von Gästen stehen hier nicht.',
  at: 'Wann',
  who: 'Wer',
  service: 'der Dienst',
  entrance: 'Über',
  entrances: {
    console: 'Konsole',
    v3: 'API',
    mcp: 'Assistent',
    portal: 'Verwaltungs-API',
    service: '–',
  },
  action: 'Handlung',
  anyAction: 'jede Handlung',
  actions,
  subject: 'Woran',
  values: 'Von → auf',
  since: 'Seit',
  nothing: 'Nichts dergleichen wurde getan.',
  earlier: 'Frühere Einträge',
};
