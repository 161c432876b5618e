/** The roles of columns. */
export type Role =
  | 'key'
  | 'property'
  | 'property_group'
  | 'check_in_date'
  | 'check_out_date'
  | 'nights'
  | 'status'
  | 'is_cancelled'
  | 'booked_at'
  | 'lead_time'
  | 'cancelled_at'
  | 'guest_name'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'country'
  | 'adults'
  | 'children'
  | 'infants'
  | 'guests'
  | 'currency'
  | 'total_amount'
  | 'price_per_night'
  | 'commission'
  | 'payout'
  | 'rooms'
  | 'channel'
  | 'note';

/**
 * Names of columns in exports, in English, German, French, Spanish, Italian and Dutch; in lower case, without accents,
 * words separated. Earlier names are tried first.
 */
export const namesOfRole: Readonly<Record<Role, readonly string[]>> = {
  key: list(
    'booking number, reservation number, confirmation code, confirmation number, booking id',
    'reservation id, reservation code, booking code, book number, booking reference, reference, id',
    'booking, reservation, buchung, reserva, prenotazione, boeking',
    'buchungsnummer, reservierungsnummer, buchungs nr, buchungsnr, buchungscode, vorgangsnummer',
    'numero de reservation, numero de reserva, numero prenotazione, boekingsnummer, reserveringsnummer',
  ),
  property: list(
    'property name, property, listing, listing name, unit name, unit, accommodation, apartment',
    'house name, house, rental, room, objekt, unterkunft, wohnung, ferienwohnung, apartment name',
    'zimmer, logement, hebergement, appartement, alojamiento, propiedad, alloggio, accommodatie',
  ),
  property_group: list('hotel, hotel name, unit type, room type, house type, kategorie, zimmerkategorie'),
  check_in_date: list(
    'check in date, checkin date, check in, checkin, arrival date, arrival, start date, date from',
    'anreise, anreisedatum, anreisetag, ankunft, arrivee, date d arrivee, llegada, entrada',
    'fecha de llegada, fecha de entrada, arrivo, data arrivo, aankomst, aankomstdatum, from, von',
  ),
  check_out_date: list(
    'check out date, checkout date, check out, checkout, departure date, departure, end date, date to',
    'abreise, abreisedatum, abreisetag, depart, date de depart, salida, fecha de salida, partenza',
    'data partenza, vertrek, vertrekdatum, to, until, bis',
  ),
  nights: list(
    'nights, number of nights, of nights, length of stay, duration nights, nachte, naechte',
    'anzahl nachte, anzahl naechte, ubernachtungen, nuits, nombre de nuits, noches, notti, nachten',
  ),
  status: list(
    'status, booking status, reservation status, state, buchungsstatus, reservierungsstatus, statut',
    'estado, stato',
  ),
  is_cancelled: list('is canceled, is cancelled, cancelled, canceled, storniert, annule, cancelado, cancellata'),
  booked_at: list(
    'booked at, booked on, booked, booking date, date booked, reservation date, created at, created',
    'gebucht am, buchungsdatum, buchungstag, reserve le, date de reservation, fecha de reserva',
    'data prenotazione, boekingsdatum, geboekt op',
  ),
  lead_time: list('lead time, booking window, days before arrival, vorlaufzeit'),
  cancelled_at: list(
    'cancelled at, canceled at, cancelled on, canceled on, cancellation date, date cancelled',
    'storniert am, stornodatum, stornierungsdatum, annule le, date d annulation, fecha de cancelacion',
    'data cancellazione, annuleringsdatum, reservation status date',
  ),
  guest_name: list(
    'guest name, guest names, guest, name of guest, main guest, booker, booker name, booked by',
    'customer name, customer, client name, client, gast, gastname, name des gastes, kunde',
    'gebucht von, nom du client, voyageur, huesped, ospite, gastnaam, name, nom, nombre, nome',
  ),
  first_name: list('first name, firstname, given name, vorname, prenom, voornaam'),
  last_name: list('last name, lastname, surname, family name, nachname, familienname, apellidos, cognome'),
  email: list('email, e mail, mail, email address, e mail adresse, email adresse, guest email, correo'),
  phone: list('phone, phone number, telephone, mobile, tel, telefon, telefonnummer, handy, telefono'),
  country: list('country, country code, booker country, nationality, land, herkunftsland, pays, pais, paese'),
  adults: list('adults, number of adults, of adults, erwachsene, adultes, adultos, adulti, volwassenen'),
  children: list('children, number of children, of children, kids, kinder, enfants, ninos, bambini, kinderen'),
  infants: list('infants, babies, of infants, number of infants, kleinkinder, babys, bebes, neonati'),
  guests: list(
    'number of guests, guests, persons, people, pax, number of persons, occupancy, anzahl gaste',
    'anzahl personen, personen, gaste, gaeste, personenzahl, personnes, personas, ospiti',
  ),
  currency: list('currency, currency code, wahrung, waehrung, devise, moneda, divisa, valuta'),
  total_amount: list(
    'total price, total amount, final amount, total, price, amount, gross amount, gross earnings, gross, revenue',
    'rate',
    'gesamtpreis, gesamtbetrag, rechnungsbetrag, preis, betrag, umsatz, prix total, prix, montant',
    'precio total, precio, importe, prezzo totale, prezzo, importo, totaalprijs, prijs, bedrag',
  ),
  price_per_night: list(
    'adr, average daily rate, nightly rate, price per night, rate per night, preis pro nacht',
    'prix par nuit, precio por noche, prezzo per notte, prijs per nacht',
  ),
  commission: list(
    'commission amount, commission, host fee, host service fee, provision, kommission, comision',
    'commissione, commissie',
  ),
  payout: list(
    'payout, payout amount, host payout, net payout, expected payout, paid out, amount paid out, earnings',
    'net earnings, net amount, net revenue, net, auszahlung, auszahlungsbetrag, auszahlbetrag, nettobetrag',
    'versement, montant verse, montant net, pago neto, importe neto, importo netto, uitbetaling, nettobedrag',
  ),
  rooms: list(
    'rooms, number of rooms, of rooms, no of rooms, units, number of units, anzahl zimmer, anzahl einheiten',
    'zimmeranzahl, nombre de chambres, chambres, habitaciones, camere, numero camere, kamers, aantal kamers',
  ),
  channel: list(
    'channel, booking channel, distribution channel, booking source, source, platform, portal',
    'kanal, buchungskanal, vertriebskanal, quelle, plattform, canal, canale, kanaal, bron',
  ),
  note: list(
    'note, notes, remarks, remark, comment, comments, special requests, bemerkung, bemerkungen',
    'notiz, notizen, anmerkung, anmerkungen, remarque, remarques, notas, opmerkingen',
  ),
};

/** Splits names that are written as one line for each language. */
function list(...lines: string[]): string[] {
  return lines.join(', ').split(', ');
}

/** Words for the states of a reservation, in the order of trial. A text that fits none is left to the user. */
export const statusPatterns = [
  ['no_show', /no.?show|nicht (?:angereist|erschienen)|non presente/],
  ['cancelled', /cancel|storn|annul|anul|cancela/],
  [null, /declin|denied|reject|request|pending|inquir|expired|option|waiting|abgelehnt|anfrage|angefragt|offen|refus/],
  ['accepted', /^ok$|^in house$|confirm|accept|check|book|complet|active|paid|current|past|upcoming|arriv|depart|stay/],
  ['accepted', /bestatigt|gebucht|angereist|abgereist|bezahlt|reserv|prenot|bevestigd|geboekt|voltooid/],
] as const;

/** Matches a rate whose guests pay even after a cancellation. */
export const nonRefundable =
  /non.?refund|nicht (?:erstattbar|stornierbar|ruckerstattbar)|no reembolsable|non rimborsabile/;

/** Cell texts that programs write for "nothing". */
export const nullTexts: readonly string[] = [
  'NULL',
  'null',
  'NA',
  'N/A',
  'n/a',
  'NaN',
  'nan',
  'None',
  '-',
  '--',
  '\\N',
];

/** Returns a name for comparison: lower case, without accents and signs, words separated. */
export function tidy(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Returns the id of a source for a file name: small letters, digits and dashes. */
export function slugOf(fileName: string): string {
  const bare = fileName.replace(/\.(?:csv|tsv|txt|xlsx|gz)\b/gi, '');
  return (
    tidy(bare)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|(?<!-)-+$/g, '')
      .slice(0, 40) || 'import'
  );
}
