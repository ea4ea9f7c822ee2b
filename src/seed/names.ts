// What people, companies and streets are called, and where they live. Lists only; a name that stands in a
// list twice is common.
import type { Land } from './identifiers.ts';

const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const FIRST_NAMES: Readonly<Record<Land, readonly string[]>> = {
  NL: words(`Anna, Emma, Zoë, Noor, Sanne, Lotte, Femke, Anouk, Marieke, Chloë, Iris, Wilma, Fatima, Loïs,
    Johanna, Maria, Ingrid, Esmée, Jan, Daan, Sem, Bram, Thijs, Sander, Jeroen, Pieter, Kees, Henk, Gerrit,
    Willem, Daniël, Joël, Mohammed, Youssef, Michaël, René, Tjeerd, Sietse, Roelof, Ömer, Ruben, Joris`),
  BE: words('Lucas, Louise, Mathéo, Elise, Jef, Griet, Geneviève, Benoît, Joke, Wouter, Amélie, Stijn'),
  DE: words('Jürgen, Günther, Anke, Sabine, Björn, Käthe, Lukas, Jörg, Heike, Matthias, Änne, Uwe'),
};

/** `prefix|last name`, the prefix in small letters as the Dutch write it after a first name. */
export const LAST_NAMES: Readonly<Record<Land, readonly string[]>> = {
  NL: words(`de|Jong, de|Jong, |Jansen, |Jansen, de|Vries, de|Vries, van den|Berg, van|Dijk, |Bakker, |Janssen,
    |Visser, |Smit, |Meijer, de|Boer, |Mulder, de|Groot, |Bos, |Vos, |Peters, |Hendriks, van|Leeuwen, |Dekker,
    |Brouwer, de|Wit, |Dijkstra, |Smits, de|Graaf, van der|Meer, van der|Linden, |Kok, |Jacobs, de|Haan,
    van den|Broek, van der|Heijden, |Schouten, van|Beek, |Yılmaz, |El Amrani, |Hoekstra, |Özdemir, in 't|Veld,
    ter|Haar, van 't|Hof, |Crèvecœur, |Coördes, van der|Poel, op den|Camp, |Nguyễn`),
  BE: words("|Peeters, |Janssens, |Maes, |Willems, |Dubois, |D'Hondt, |Lefèvre, Van den|Bossche, De|Smet"),
  DE: words('|Müller, |Schmidt, |Weiß, |Schäfer, |Köhler, |Groß, von|Bülow, |Hübner, |Größmann'),
};

export const STREETS: Readonly<Record<Land, readonly string[]>> = {
  NL: words(`Dorpsstraat, Kerkstraat, Molenweg, Stationsweg, Schoolstraat, Julianalaan, Beatrixstraat, Lindelaan,
    Eikenlaan, Burgemeester de Vlugtlaan, Nieuwe Gracht, Prinsengracht, Oude Delft, Korte Nieuwstraat,
    Industrieweg, Ambachtsweg, Handelskade, Singel, Wilhelminaplein, Laan van Meerdervoort, Jan Steenstraat,
    Zuiderzeeweg, 's-Gravelandseweg, Anne Franklaan, Café-passage, Buitenplaats Oostvaardersdiep,
    Thomas à Kempisstraat, Burgemeester Röellstraat, Coöperatiestraat, Reünielaan`),
  BE: words('Stationsstraat, Kerkstraat, Grote Markt, Rue de la Gare, Avenue Général Leman, Bruggesteenweg'),
  DE: words('Hauptstraße, Bahnhofstraße, Gartenstraße, Königsallee, Schloßweg, Am Mühlenbach'),
};

export interface Town {
  readonly city: string;
  readonly area: string;
  /** The lowest and the highest number of its postcodes. */
  readonly from: number;
  readonly to: number;
}

/** `name|area code|postcodes`. */
const towns = (text: string): readonly Town[] =>
  words(text).map((line) => {
    const [city = '', area = '', postcodes = ''] = line.split('|');
    const [from = 0, to = from] = postcodes.split('-').map(Number);
    return { city, area, from, to };
  });

export const TOWNS: Readonly<Record<Land, readonly Town[]>> = {
  NL: towns(`Amsterdam|+31 20|1011-1098, Rotterdam|+31 10|3011-3089, 's-Gravenhage|+31 70|2511-2597,
    Utrecht|+31 30|3511-3585, Utrecht|+31 30|3511-3585, Eindhoven|+31 40|5611-5658, Groningen|+31 50|9711-9747,
    Tilburg|+31 13|5011-5049, Almere|+31 36|1311-1363, Breda|+31 76|4811-4839, Nijmegen|+31 24|6511-6546,
    Apeldoorn|+31 55|7311-7339, Haarlem|+31 23|2011-2037, Arnhem|+31 26|6811-6846, Enschede|+31 53|7511-7549,
    Amersfoort|+31 33|3811-3829, 's-Hertogenbosch|+31 73|5211-5237, Zwolle|+31 38|8011-8045,
    Leeuwarden|+31 58|8911-8941, Maastricht|+31 43|6211-6229, Middelburg|+31 118|4331-4338,
    Alkmaar|+31 72|1811-1827, Delft|+31 15|2611-2629, Skarsterlân|+31 513|8501-8502, Nieuwegein|+31 30|3431-3439`),
  BE: towns(
    'Antwerpen|+32 3|2000-2060, Gent|+32 9|9000-9052, Brugge|+32 50|8000-8380, Liège|+32 4|4000-4032',
  ),
  DE: towns('Köln|+49 221|50667-50999, Düsseldorf|+49 211|40210-40629, Münster|+49 251|48143-48167'),
};

export const TRADES = words(`Bakkerij, Schildersbedrijf, Hoveniersbedrijf, Installatiebureau, Taxibedrijf,
  Loodgietersbedrijf, Bouwbedrijf, Café, Thuiszorg, Transportbedrijf, Administratiekantoor, Crèche`);

export const LEGAL_FORMS: Readonly<Record<Land, readonly string[]>> = {
  NL: ['B.V.', 'B.V.', 'V.O.F.', '& Zn.'],
  BE: ['BV', 'NV'],
  DE: ['GmbH', 'GmbH & Co. KG'],
};

export const LANGUAGES: Readonly<Record<Land, readonly string[]>> = {
  NL: ['nl', 'nl', 'nl', 'nl', 'nl-NL', 'en'],
  BE: ['nl-BE', 'nl', 'fr'],
  DE: ['de', 'en'],
};

export const SUPPLIERS =
  words(`Onderdelen Totaal B.V., Bandengroothandel Noord B.V., Oliehandel De Kraan B.V.,
  Carrosserie & Lak Centrum B.V., Autoglas Midden B.V., Köhler Fahrzeugteile GmbH`);
export const LEASE_COMPANIES = words(
  'Vloot Lease Nederland B.V., Groene Golf Mobiliteit B.V., Wagenpark & Co. B.V.',
);

export const CONTACT_NOTES =
  words(`Belt liever na 17:00 uur ☎️, Wil altijd een leenauto 🚗, Vaste klant sinds 1998 ⭐,
  Koffie zwart zonder suiker ☕, Facturen uitsluitend per e-mail, Komt op de fiets 🚲 de auto ophalen,
  Fährt täglich nach Köln, Préfère être contacté en français, Spreekt Engels én Duits,
  Betaalt contant — géén rekening sturen, Let op: hond in de auto 🐕`);
