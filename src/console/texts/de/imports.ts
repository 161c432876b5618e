import type { Texts } from '../en.ts';

/** Texts of import in German. */
export const imports: Texts['import'] = {
  title: 'Datei importieren',
  hint: 'Reservierungen eines anderen Systems, aus einer CSV-Datei (auch gepackt) oder einer XLSX-Arbeitsmappe.',
  file: 'Datei',
  fileHint: 'Noch wird nichts gespeichert; die Datei wird nach einer Woche vergessen.',
  look: 'Ansehen',
  read: (name: string) => `${name} ist gelesen.`,
  check: 'Stimmt das?',
  checkHint: 'Dafür würde jede Spalte gehalten, mit Zweifeln und den ersten Zeilen. Noch ist nichts gespeichert.',
  mapping: 'Ändern, wofür die Spalten gehalten werden',
  mappingHint: 'Die Zuordnung; die Anleitung zu Importen erklärt jede Zeile.',
  run: 'Importieren',
  other: 'Andere Datei',
  begun: 'Der Import läuft; diese Seite zeigt, wie weit er ist.',
};
