// The goods of a garage: turnover groups, articles, work at a fixed price, and the models of cars that come in.
import { LISTS } from '../../core/trade/lists.ts';

const { PART, LABOUR, FLUID, TYRE, EXTERNAL, SURCHARGE, OTHER } = LISTS.articlekinds;
const { PIECE, HOUR, LITRE, SET, METRE, KILOGRAM } = LISTS.unittypes;
const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const { PETROL, DIESEL, ELECTRIC, HYBRID, PLUGIN_HYBRID, LPG } = LISTS.fuelkinds;
const { CAR, VAN, MOTORCYCLE, MOPED, TRAILER, CAMPER } = LISTS.vehiclekinds;
const MIXED = [PETROL, PETROL, DIESEL, HYBRID];

/**
 * Code, name, VAT code; the accounts of sales and costs, perhaps of the stock. A line without an article is booked to
 * the first group of its VAT code.
 */
export const TURNOVER_GROUPS: [string, string, number, string, string, string?][] = [
  ['VNW', 'Voertuigen btw', HIGH, '8100', '7100', '3000'],
  ['VMG', 'Voertuigen marge', MARGIN, '8110', '7110', '3010'],
  ['VEU', 'Voertuigen binnen de EU', INTRA_COMMUNITY, '8120', '7120', '3000'],
  ['VEX', 'Voertuigen buiten de EU', EXPORT, '8130', '7130', '3000'],
  ['LEG', 'Leges, bpm en statiegeld', OUTSIDE, '8200', '7200'],
  ['VRL', 'Btw verlegd', REVERSE_CHARGE, '8410', '7410'],
  ['NUL', 'Nultarief', ZERO, '8400', '7400'],
  ['VRZ', 'Bemiddeling verzekeringen', EXEMPT, '8300', '7300'],
  ['FTS', 'Fietsen en lectuur', LOW, '8050', '7050'],
  ['ARB', 'Arbeid werkplaats', HIGH, '8000', '7000'],
  ['OND', 'Onderdelen', HIGH, '8010', '7010'],
  ['OLI', 'Olie en vloeistoffen', HIGH, '8020', '7020'],
  ['BND', 'Banden en velgen', HIGH, '8030', '7030'],
  ['DRD', 'Werk door derden', HIGH, '8040', '7040'],
];

/** Code, name, kind, unit, code of the group, lowest and highest price in cents. */
export const ARTICLES: [string, string, number, number, string, number, number][] = [
  ['ARB', 'Arbeid monteur', LABOUR, HOUR, 'ARB', 7950, 9850],
  ['DIA', 'Diagnose elektrisch systeem', LABOUR, HOUR, 'ARB', 8950, 10_950],
  ['OLF', 'Oliefilter', PART, PIECE, 'OND', 890, 2150],
  ['OLI', 'Motorolie 5W-30', FLUID, LITRE, 'OLI', 995, 1890],
  ['BND', 'Zomerband 205/55 R16', TYRE, PIECE, 'BND', 6950, 13_900],
  ['WBD', 'Winterband 195/65 R15', TYRE, PIECE, 'BND', 7950, 14_500],
  ['BLK', 'Remblokkenset voor', PART, SET, 'OND', 3990, 9800],
  ['SCH', 'Remschijvenset voor', PART, SET, 'OND', 6900, 18_900],
  ['APK', 'APK-keuring', EXTERNAL, PIECE, 'DRD', 2950, 4500],
  ['SPT', 'Spuitwerk bij derden', EXTERNAL, PIECE, 'DRD', 22_500, 89_000],
  ['MIL', 'Milieutoeslag ♻️', SURCHARGE, PIECE, 'OND', 295, 750],
  ['LEG', 'RDW-afmelding', OTHER, PIECE, 'LEG', 445, 445],
  ['STG', 'Statiegeld ruilonderdeel', OTHER, PIECE, 'LEG', 2500, 9000],
  ['FTS', 'Reparatie fietsendrager (fiets)', OTHER, PIECE, 'FTS', 1500, 4500],
  ['KGD', 'Wegenatlas Benelux', OTHER, PIECE, 'FTS', 1495, 2495],
  ['VRZ', 'Bemiddeling autoverzekering', OTHER, PIECE, 'VRZ', 2500, 7500],
  ['EXP', 'Onderdelen voor export', PART, PIECE, 'NUL', 9900, 39_900],
  ['LTF', 'Luchtfilter', PART, PIECE, 'OND', 1290, 3450],
  ['INF', 'Interieurfilter (actieve koolstof)', PART, PIECE, 'OND', 1490, 3950],
  ['KVS', 'Koelvloeistof −35 °C', FLUID, LITRE, 'OLI', 490, 890],
  ['KMD', 'Koudemiddel R1234yf', FLUID, KILOGRAM, 'OLI', 14_900, 19_900],
  ['SLG', 'Koelwaterslang', PART, METRE, 'OND', 1290, 2890],
  ['ACU', 'Accu 70 Ah start-stop', PART, PIECE, 'OND', 11_900, 23_900],
  ['DIS', 'Distributieriemset met waterpomp', PART, SET, 'OND', 14_900, 32_900],
  ['KOP', 'Koppelingsset', PART, SET, 'OND', 18_900, 42_500],
  ['LMP', 'Lamp H7 àntisplinter', PART, PIECE, 'OND', 690, 1990],
];

export const BRANDS = ['Bosch', 'MANN', 'Brembo', 'Valeo', 'Continental', 'Gates', 'Febi', 'Hella', 'ATE'];

/** Name, hours of labour, codes of its articles, a line that is filled in by hand. */
export const FLAT_RATES: [string, number, string[], string][] = [
  ['Kleine beurt', 1.2, ['OLF', 'OLI'], 'Controle vloeistoffen en banden ✔'],
  ['Grote beurt', 2.5, ['OLF', 'OLI', 'LTF'], 'Proefrit en eindcontrole'],
  ['APK met afmelding', 0.75, ['APK', 'LEG'], 'Roetmeting'],
  ['Remschijven en -blokken voor', 1.8, ['SCH', 'BLK'], 'Remmentest op rollenbank'],
  ['Distributieriem vervangen', 4.5, ['DIS', 'KVS'], 'Klein materiaal'],
  ['Airco-onderhoud ❄️', 1, ['KMD'], 'Geurbehandeling à la carte'],
  ['Winterwissel vier banden', 0.8, ['WBD'], 'Balanceren'],
  ['Accu vervangen', 0.5, ['ACU'], 'Foutcodes uitlezen en wissen'],
  ['Koppeling vervangen', 6.2, ['KOP'], 'Beëdigde controle vliegwiel'],
];

/** Make, first three characters of its VIN, model, kind, first year, kW, price in euros when new, fuels. */
const MODELS: [string, string, string, number, number, number, number, number[]][] = [
  ['Volkswagen', 'WVW', 'Golf', CAR, 1974, 81, 31_500, MIXED],
  ['Volkswagen', 'WVW', 'Polo', CAR, 1975, 70, 24_900, [PETROL]],
  ['Volkswagen', 'WVW', 'Kever', CAR, 1960, 29, 3_400, [PETROL]],
  ['Volkswagen', 'WVW', 'ID.3', CAR, 2020, 150, 39_900, [ELECTRIC]],
  ['Volkswagen', 'WVW', 'Transporter', VAN, 1990, 110, 43_000, [DIESEL]],
  ['Volkswagen', 'WVW', 'California', CAMPER, 1988, 110, 76_000, [DIESEL]],
  ['Toyota', 'SB1', 'Yaris', CAR, 1999, 85, 25_400, [HYBRID, PETROL]],
  ['Toyota', 'SB1', 'Corolla Touring Sports', CAR, 2019, 103, 34_700, [HYBRID]],
  ['Opel', 'W0L', 'Corsa', CAR, 1982, 74, 23_200, [PETROL]],
  ['Opel', 'W0L', 'Vivaro', VAN, 2001, 90, 36_500, [DIESEL]],
  ['Renault', 'VF1', 'Clio', CAR, 1990, 67, 22_600, [PETROL, LPG]],
  ['Renault', 'VF1', 'Mégane Estate', CAR, 1999, 103, 29_900, MIXED],
  ['Renault', 'VF1', 'Zoé', CAR, 2013, 100, 33_600, [ELECTRIC]],
  ['Citroën', 'VF7', 'C3', CAR, 2002, 61, 20_500, [PETROL]],
  ['Citroën', 'VF7', 'Berlingo', VAN, 1996, 75, 27_300, [DIESEL, PETROL]],
  ['Peugeot', 'VF3', '308 SW', CAR, 2008, 96, 33_100, [...MIXED, PLUGIN_HYBRID]],
  ['Ford', 'WF0', 'Fiesta', CAR, 1976, 74, 22_900, [PETROL]],
  ['Ford', 'WF0', 'Focus Wagon', CAR, 1999, 92, 30_400, MIXED],
  ['Volvo', 'YV1', 'V60', CAR, 2010, 145, 49_900, [PETROL, DIESEL, PLUGIN_HYBRID]],
  ['Škoda', 'TMB', 'Octavia Combi', CAR, 1998, 110, 35_200, MIXED],
  ['Kia', 'U5Y', 'Niro', CAR, 2016, 104, 36_900, [HYBRID, PLUGIN_HYBRID, ELECTRIC]],
  ['BMW', 'WBA', '3-serie Touring', CAR, 1988, 135, 55_700, MIXED],
  ['Tesla', 'LRW', 'Model 3', CAR, 2019, 208, 44_000, [ELECTRIC]],
  ['Yamaha', 'JYA', 'MT-07', MOTORCYCLE, 2014, 54, 9_400, [PETROL]],
  ['Vespa', 'ZAP', 'Primavera', MOPED, 2013, 3, 4_300, [PETROL, ELECTRIC]],
  ['Böckmann', 'WBC', 'Duo Ésprit', TRAILER, 2005, 0, 6_800, []],
];

export const CARS = MODELS.map(([make, maker, model, kind, since, power_kw, price, fuels]) => {
  return { make, maker, model, kind, since, power_kw, price, fuels };
});
