import { plainWords } from './plainWords.ts';

/**
 * Topics that only a person answers, as beginnings of words without accents; a full stop marks the end of a word. The
 * lists are broad on purpose: a false match costs a person a minute, a missed one can cost a lawsuit.
 */
const entries = {
  refund: [
    'refund, reimburs, compensat, discount, money back, voucher, goodwill, erstatt, ruckerstatt',
    'zuruckerstatt, rabatt, entschadig, preisnachlass, geld zuruck, gutschein, rembours, remise., reduction',
    'dedommag, indemni, reembols, descuento, compensaci, devoluci, devolver, devuelv, rimbors, sconto',
    'sconti., risarc, indennizz, desconto, indeniz, terugbetal, korting',
  ],
  payment: [
    'payment, credit card, debit card, bank transfer, bank account, iban, chargeback, paypal, uberweis',
    'kreditkart, lastschrift, kontonummer, bankverbindung, zahlung, paiement, carte de credit, carte bancaire',
    'virement, pago., pagos., tarjeta de, transferencia, pagament, carta di credito, bonifico, betaling',
    'creditcard',
  ],
  legal: [
    'lawyer, attorney, lawsuit, sue., suing, to court, in court, police, liab, legal, gdpr, insurance, anwalt',
    'anwaltin, rechtsanw, klage., klagen, verklag, gericht., polizei, haftung, rechtlich, schadensersatz',
    'versicherung, avocat, tribunal, juridi, porter plainte, assurance, abogad, demandar, policia, denunci',
    'seguro de viaje, avvocat, tribunale, polizia, querela, assicurazi, advogad, advocaat, rechtbank, politie',
  ],
  medical: [
    'doctor, hospital, ambulance, medic, allerg, injur, emergency, pregnan, sick., poison, arzt, arztin',
    'krankenhaus, krankenwagen, notarzt, verletz, schwanger, notfall, vergift, hopital, medecin, blesse',
    'urgence, malade., alergi, herid, urgencia, enferm, embaraz, ospedale, ambulanz, ferit, emergenza, malat',
    'incinta, ziekenhuis',
  ],
  safety: [
    'fire., burning, gas leak, smell of gas, smell gas, carbon monoxide, break in., burglar, stolen, theft',
    'threat, weapon, assault, unsafe, danger, harass, hidden camera, discriminat, feuer., brennt, gasgeruch',
    'einbruch, gestohlen, diebstahl, gefahr, bedroh, waffe, incendie, fuite de gaz, cambriol, vole., menac',
    'incendio, fuga de gas, robo., robad, peligr, amenaz, fuga di gas, furto, rubat, pericol, minacc',
    'brandgeruch, gestolen, gevaar',
  ],
  damage: [
    'damag, broke., broken, cracked, flood, leak, mould, mold., stains., stained., bed bug, cockroach',
    'schaden, beschadig, kaputt, zerbroch, uberschwemm, schimmel, bettwanz, kakerlak, dommage, degat, casse.',
    'cassee., brise., inondation, fuite, moisi, punaise, danos, danad, roto., rota., inundaci, moho., chinche',
    'cucaracha, danno, danni, rotto., rotta., allagament, muffa, cimici, scarafagg, schade, kapot',
  ],
  cancellation: [
    'cancel., cancelled, canceled, cancelling, canceling, cancellation, cancelar, cancelaci, cancelam',
    'stornier, storno, annul, anular, disdir, disdett, cancellare, cancellazione, rebook, umbuch',
    'move my booking, change the dates, change my dates, shorten, extend my stay',
  ],
  code: [
    'code., codes., passcode, pin., lockbox, lock box, keypad, turcode, zugangscode, turschloss',
    'schlusseltresor, schlusselbox, codigo, codice, digicode, boite a cle, deurcode, sleutelkluis',
  ],
} as const;

export type Topic = keyof typeof entries;
export const topicNames = Object.keys(entries) as Topic[];
const sought = Object.fromEntries(
  Object.entries(entries).map(([name, lines]) => [name, lines.flatMap((line) => line.split(', ')).map(asFound)]),
) as Record<Topic, string[]>;

/**
 * Returns the topic in a text that only a person may answer, or undefined. For the operator's own words, returns the
 * word.
 */
export function topicOf(text: string, denied: readonly Topic[], words: readonly string[]): string | undefined {
  const plain = plainWords(text);
  const topic = denied.find((one) => sought[one].some((entry) => plain.includes(entry)));
  return topic ?? words.find((one) => plain.includes(asFound(one)));
}

/** Returns an entry as it is searched: from the beginning of a word, and to its end if there is a full stop. */
function asFound(entry: string): string {
  const words = plainWords(entry).trimEnd();
  return entry.endsWith('.') ? `${words} ` : words;
}
