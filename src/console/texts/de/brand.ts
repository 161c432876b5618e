import type { en } from '../en.ts';

/** Texts about the look of the account, in German. */
export const brand: (typeof en)['brand'] = {
  title: 'Aussehen',
  hint: 'Wie das Konto auf geteilten Kalendern, Abrechnungen der Eigentümer, der Seite der Reinigung und beim Zulassen einer Anwendung aussieht.',
  preview: 'Wie andere es sehen',
  plain: 'Schlicht, mit dem Namen des Kontos. Noch ist nichts gesetzt.',
  nameOfAccount: 'Der Name des Kontos',
  change: 'Ändern',
  name: 'Name',
  nameHint: 'Leer: der Name des Kontos.',
  color: 'Farbe',
  colorHint: '# und sechs Ziffern, etwa #0b57a8. Texte bleiben lesbar, welche es auch ist. Leer: keine.',
  logo: 'Logo',
  logoHint:
    'PNG oder JPEG, höchstens 256 kB und 2.000 Pixel breit und hoch. Daten darin, etwa ein Ort, werden herausgenommen.',
  withoutLogo: 'Ab jetzt ohne Logo',
  saved: 'Das Aussehen ist gespeichert.',
};
