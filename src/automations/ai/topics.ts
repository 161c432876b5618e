import { plainWords } from './plainWords.ts';

/**
 * What only a person answers, and how it is spoken of: beginnings of words, without accents; a full stop ends a word.
 * Rather too much than too little: what is found here costs a person a minute, what is not may cost a case in court.
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

/** What of a text only a person may speak about; undefined: nothing. Words of the operator's own are found as they are. */
export function topicOf(text: string, denied: readonly Topic[], words: readonly string[]): string | undefined {
  const plain = plainWords(text);
  const topic = denied.find((one) => sought[one].some((entry) => plain.includes(entry)));
  return topic ?? words.find((one) => plain.includes(asFound(one)));
}

/** From the beginning of a word, and to its end where a full stop says so. */
function asFound(entry: string): string {
  const words = plainWords(entry).trimEnd();
  return entry.endsWith('.') ? `${words} ` : words;
}
