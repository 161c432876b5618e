import { plainWords, wordsOf } from './plainWords.ts';
import { isSmallWord } from './languages.ts';

/**
 * Words for the same thing in several languages, without accents. Guests ask in one language, and hosts write in
 * another.
 */
const things: readonly string[] = [
  'wifi wlan wi fi internet wireless hotspot network netzwerk reseau red rete senha',
  'parking park car cars garage parken parkplatz parkplatze auto stellplatz voiture garer stationnement aparcar aparcamiento coche estacionar parcheggio parcheggiare macchina posto estacionamento carro parkeren parkeerplaats',
  'checkin arrival arrive arriving ankunft anreise ankommen einchecken arrivee arriver llegada llegar entrada arrivo arrivare chegada aankomst inchecken',
  'checkout departure leave leaving abreise auschecken abfahrt depart partir salida salir partenza partire saida vertrek uitchecken',
  'breakfast fruhstuck petit dejeuner desayuno colazione pequeno almoco ontbijt',
  'pet pets dog dogs cat cats animal animals hund hunde haustier haustiere katze chien chat animaux perro perros mascota mascotas gato cane cani gatto animali cachorro huisdier huisdieren',
  'luggage bags baggage suitcase gepack koffer bagages valise equipaje maletas maleta bagagli valigia bagagem bagage',
  'heating heat heater warm radiator heizung heizen chauffage chauffer calefaccion riscaldamento aquecimento verwarming',
  'airconditioning conditioning cooling aircon klimaanlage klima climatisation clim aire acondicionado aria condizionata climatizzatore ar condicionado airco',
  'garbage trash rubbish waste bin bins recycling mull abfall mulltonne poubelle poubelles dechets basura spazzatura rifiuti lixo afval vuilnis',
  'towel towels linen sheets handtuch handtucher bettwasche serviette serviettes draps toalla toallas sabanas asciugamani asciugamano lenzuola toalhas handdoeken beddengoed',
  'pool swimming schwimmbad schwimmen piscine piscina zwembad',
  'smoking smoke cigarette rauchen raucher fumer fumeur fumar fumare roken',
  'key keys schlussel cle cles llave llaves chiave chiavi chave chaves sleutel',
  'bus train tram metro station airport taxi transport bahn bahnhof flughafen haltestelle gare aeroport estacion aeropuerto tren stazione aeroporto treno trein vliegveld luchthaven',
  'kitchen cook cooking stove oven kuche kochen herd backofen cuisine cuisiner four cocina cocinar horno cucina cucinare forno cozinha keuken koken',
  'coffee kaffee cafe caffe koffie',
  'washing laundry washer dryer waschmaschine waschen trockner laver linge lavadora lavar secadora lavatrice asciugatrice roupa wasmachine',
  'dishwasher spulmaschine geschirrspuler vaisselle lavavajillas lavastoviglie vaatwasser',
  'baby cot crib child children kids highchair kinderbett kind kinder hochstuhl bebe enfant enfants nino ninos cuna bambino bambini culla lettino crianca kinderen',
  'beach strand plage playa spiaggia praia',
  'restaurant restaurants eat dinner food essen manger comer mangiare ristorante restaurante eten',
  'supermarket shop groceries supermarkt einkaufen laden supermarche courses supermercado tienda supermercato negozio winkel',
  'lift elevator aufzug fahrstuhl ascenseur ascensor ascensore elevador',
  'tv television fernseher fernsehen tele televisor televisione televisie',
  'bike bikes bicycle fahrrad fahrrader velo velos bicicleta bicicletas bici fiets fietsen',
  'bed beds sofa bett betten lit lits canape cama camas letto letti divano bedden',
  'hairdryer fohn haartrockner cheveux secador asciugacapelli phon haardroger',
  'iron ironing bugeleisen bugeln repasser plancha planchar ferro stiro strijkijzer',
  'quiet noise party parties ruhe larm laut feier bruit fete ruido fiesta fiestas rumore festa feste lawaai feest',
];
const byWord = new Map<string, readonly string[]>();
for (const thing of things) {
  const words = thing.split(' ');
  for (const word of words) byWord.set(word, words);
}
/** Most words to search for. More do not make a question clearer. */
const MOST_WORDS = 60;

/** Returns the words to search for: those with a meaning, and their equivalents in other languages. */
export function soughtWords(question: string): string[] {
  const telling = wordsOf(oneSpelling(question)).filter((word) => !isSmallWord(word));
  return [...new Set(telling.flatMap((word) => [word, ...(byWord.get(word) ?? [])]))].slice(0, MOST_WORDS);
}

/** Returns a text for searching: words without accents, and common names of things in one spelling. */
export function searchedWords(text: string): string {
  return plainWords(oneSpelling(text)).trim();
}

function oneSpelling(text: string): string {
  return text.replaceAll(/check[- ]?(in|out)\b/gi, 'check$1').replaceAll(/wi-?fi\b/gi, 'wifi');
}
