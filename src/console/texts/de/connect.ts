import type { Texts } from '../en.ts';

/** Texts of connect in German. */
export const connect: Texts['connect'] = {
  title: 'Andere Installation spiegeln',
  hint: 'Sie wird mit Ihrem Token je Art von Daten einmal gefragt; dort wird nichts geändert.',
  url: 'Ihre Adresse',
  urlHint: 'Etwa https://rentals.example',
  token: 'Ein Zugriffstoken von ihr',
  tokenHint:
    'Zum Ansehen genügt ein lesendes; um Gästen zu antworten oder Nächte zu sperren, muss es schreiben dürfen.',
  check: 'Anfragen',
  answered: 'Sie hat geantwortet.',
  found: 'Das ist dort',
  account: 'Konto',
  dialect: 'Dialekt',
  writes: 'Das Token',
  mayWrite: 'darf schreiben',
  mayRead: 'darf nur lesen',
  unsaid: 'sie sagt es nicht',
  refused: 'Einige Arten von Daten hat sie verweigert; sie werden fehlen:',
  timeZone: 'Zeitzone des Kontos',
  currency: 'Währung des Kontos',
  consequence:
    'Die Verbindung wird in Ihre Einstellungen geschrieben, und der Dienst beginnt damit neu; das dauert ein, zwei Sekunden.',
  save: 'Spiegeln',
  saved: (name: string) => `${name} wird gelesen; Zustand zeigt, wie weit.`,
};
