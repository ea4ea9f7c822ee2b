// Words and numbers of people, companies, places, cars and work. A word that a list holds twice is twice as common.

const words = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

/**
 * Last names are `prefix|last name`; towns are `city|area code|lowest postcode|highest postcode`. `#` is a digit.
 * Peppol knows a Dutch company by its number in the trade register, and other companies by their VAT number.
 */
export const LANDS = {
  NL: {
    countryId: 1,
    language: 'nl',
    banks: words('INGB, RABO, ABNA, SNSB, TRIO, BUNQ, KNAB'),
    account: '##########',
    vatNumber: 'NL#########B01',
    peppolId: (kvk: string) => `0106:${kvk}`,
    mobiles: words('+31 6 1#######, +31 6 2#######, +31 6 3#######, +31 6 4#######, +31 6 5#######'),
    legalForms: words('B.V., B.V., V.O.F., & Zn.'),
    firstNames:
      words(`Anna, Emma, Zoë, Noor, Sanne, Lotte, Femke, Anouk, Chloë, Iris, Wilma, Fatima, Loïs, Maria,
      Ingrid, Esmée, Jan, Daan, Sem, Bram, Thijs, Sander, Jeroen, Pieter, Kees, Henk, Gerrit, Willem, Daniël,
      Mohammed, Youssef, Michaël, René, Tjeerd, Roelof, Ömer, Ruben, Joris`),
    lastNames: words(`de|Jong, de|Jong, |Jansen, |Jansen, de|Vries, de|Vries, van den|Berg, van|Dijk, |Bakker,
      |Visser, |Smit, |Meijer, de|Boer, |Mulder, de|Groot, |Bos, |Vos, |Peters, |Hendriks, van|Leeuwen, |Dekker,
      |Dijkstra, de|Graaf, van der|Meer, van der|Linden, |Kok, |Jacobs, de|Haan, |Schouten, |Yılmaz, |El Amrani,
      |Hoekstra, |Özdemir, in 't|Veld, ter|Haar, van 't|Hof, |Crèvecœur, |Coördes, op den|Camp, |Nguyễn`),
    streets: words(`Dorpsstraat, Kerkstraat, Molenweg, Stationsweg, Schoolstraat, Julianalaan, Beatrixstraat,
      Burgemeester de Vlugtlaan, Nieuwe Gracht, Oude Delft, Industrieweg, Handelskade, Singel, Café-passage,
      's-Gravelandseweg, Thomas à Kempisstraat, Burgemeester Röellstraat, Coöperatiestraat, Reünielaan`),
    towns: words(`Amsterdam|+31 20|1011|1098, Rotterdam|+31 10|3011|3089, 's-Gravenhage|+31 70|2511|2597,
      Utrecht|+31 30|3511|3585, Utrecht|+31 30|3511|3585, Eindhoven|+31 40|5611|5658, Breda|+31 76|4811|4839,
      Groningen|+31 50|9711|9747, Almere|+31 36|1311|1363, Nijmegen|+31 24|6511|6546, Zwolle|+31 38|8011|8045,
      's-Hertogenbosch|+31 73|5211|5237, Middelburg|+31 118|4331|4338, Skarsterlân|+31 513|8501|8502`),
  },
  BE: {
    countryId: 2,
    language: 'fr',
    banks: words('001, 063, 310, 733'),
    account: '#########',
    vatNumber: 'BE0#########',
    peppolId: (vat: string) => `0208:${vat.slice(2)}`,
    mobiles: words('+32 47 1######, +32 47 2######, +32 47 3######, +32 47 4######, +32 47 5######'),
    legalForms: words('BV, NV'),
    firstNames: words('Lucas, Louise, Mathéo, Elise, Jef, Griet, Geneviève, Benoît, Joke, Amélie, Stijn'),
    lastNames: words("|Peeters, |Janssens, |Maes, |Dubois, |D'Hondt, |Lefèvre, Van den|Bossche, De|Smet"),
    streets: words('Stationsstraat, Grote Markt, Rue de la Gare, Avenue Général Leman, Bruggesteenweg'),
    towns: words('Antwerpen|+32 3|2000|2060, Gent|+32 9|9000|9052, Liège|+32 4|4000|4032'),
  },
  DE: {
    countryId: 3,
    language: 'de',
    banks: words('37040044, 30070010, 39050000'),
    account: '##########',
    vatNumber: 'DE#########',
    peppolId: (vat: string) => `9930:${vat}`,
    mobiles: words(
      '+49 151 1#######, +49 151 2#######, +49 151 3#######, +49 151 4#######, +49 151 5#######',
    ),
    legalForms: words('GmbH, GmbH & Co. KG'),
    firstNames: words('Jürgen, Günther, Anke, Sabine, Björn, Käthe, Lukas, Jörg, Heike, Matthias, Änne, Uwe'),
    lastNames: words('|Müller, |Schmidt, |Weiß, |Schäfer, |Köhler, |Groß, von|Bülow, |Hübner, |Größmann'),
    streets: words('Hauptstraße, Bahnhofstraße, Gartenstraße, Königsallee, Schloßweg, Am Mühlenbach'),
    towns: words('Köln|+49 221|50667|50999, Düsseldorf|+49 211|40210|40629, Münster|+49 251|48143|48167'),
  },
};
export type Land = keyof typeof LANDS;

export const TRIMS = words('Comfort, Business, Edition One, Première, Sport, Éco, Luxe');
export const COLOURS = words('Zwart, Grijs metallic, Wit, Donkerblauw métallisé, Rood, Zilver, Café-crème');

export const TRADES = words(`Bakkerij, Schildersbedrijf, Hoveniersbedrijf, Installatiebureau, Taxibedrijf,
  Loodgietersbedrijf, Bouwbedrijf, Café, Thuiszorg, Transportbedrijf, Administratiekantoor, Crèche`);
export const SUPPLIERS =
  words(`Onderdelen Totaal B.V., Bandengroothandel Noord B.V., Oliehandel De Kraan B.V.,
  Carrosserie & Lak Centrum B.V., Autoglas Midden B.V., Köhler Fahrzeugteile GmbH`);
export const LEASE_COMPANIES = words('Vloot Lease Nederland B.V., Groene Golf B.V., Wagenpark & Co. B.V.');

/** Dealers abroad, in the EU and outside, who buy and sell cars. */
export const BELGIAN_DEALER = 'Autohandel Lefèvre NV';
export const SWISS_DEALER = 'Autohaus Lüthi AG';
/** The columns that differ from a Dutch company. */
export const IN_ZURICH = {
  street: 'Bahnhofstrasse',
  postcode: '8001',
  city: 'Zürich',
  country_id: 214,
  language: 'de',
  kvk_number: null,
  vat_number: null,
  peppol_id: null,
  iban: null,
};

export const CONTACT_NOTES = words(`Belt liever na 17:00 uur ☎️, Wil altijd een leenauto 🚗,
  Vaste klant sinds 1998 ⭐, Koffie zwart zonder suiker ☕, Komt op de fiets 🚲 de auto ophalen,
  Fährt täglich nach Köln, Préfère être contacté en français, Betaalt contant — géén rekening sturen`);
export const COMPLAINTS = words(`Grote beurt + APK 🔧, Motorstoring: lampje brandt sinds gisteren ⚠️,
  Remmen piepen bij lage snelheid; klant Zoë belt terug ☎️, Winterbanden monteren; zomerset in opslag ❄️,
  Airco koelt niet meer — gaarne controleren vóór de vakantie ☀️, Kleine beurt & ruitenwissers,
  Ruit gesprongen na steenslag; verzekering 'Écht Zeker', Geräusch vorne links beim Bremsen – Herr Größmann`);
export const REMARKS = words('Leenauto meegegeven 🚙, Korting besproken met René, Sleutel in kluis nº 7 🔑');
export const LINE_REMARKS = words(`Oude onderdelen op verzoek in de kofferbak gelegd 📦,
  Let op: profieldiepte achter 2 mm — advies: vervangen vóór de winter ❄️`);
export const ADVERTS = words(`Nette dealeronderhouden auto met één eigenaar. Rookvrij en met trekhaak 👍,
  Première-uitvoering: eerste lak & géén schade. Kom gerust proefrijden — de koffie staat klaar ☕`);
