// What a garage sells and does: the groups of turnover, the kinds of part, and work at a fixed price.
import { LISTS } from '../trade/lists.ts';

const { PART, LABOUR, FLUID, TYRE, EXTERNAL, SURCHARGE, OTHER } = LISTS.articlekinds;
const { PIECE, HOUR, LITRE, SET, METRE, KILOGRAM } = LISTS.unittypes;
const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;

/** Code, name, ledger account, cost ledger account, VAT code. */
export const TURNOVER_GROUPS = [
  ['ARB', 'Arbeid werkplaats', '8000', '7000', HIGH],
  ['OND', 'Onderdelen', '8010', '7010', HIGH],
  ['OLI', 'Olie en vloeistoffen', '8020', '7020', HIGH],
  ['BND', 'Banden en velgen', '8030', '7030', HIGH],
  ['DRD', 'Werk door derden', '8040', '7040', HIGH],
  ['FTS', 'Fietsen en lectuur', '8050', '7050', LOW],
  ['VNW', 'Voertuigen btw', '8100', '7100', HIGH],
  ['VMG', 'Voertuigen marge', '8110', '7110', MARGIN],
  ['LEG', 'Leges, bpm en statiegeld', '8200', '7200', OUTSIDE],
  ['VRZ', 'Bemiddeling verzekeringen', '8300', '7300', EXEMPT],
  ['EXP', 'Export buiten de EU', '8400', '7400', ZERO],
  ['ICL', 'Intracommunautaire leveringen', '8410', '7410', REVERSE_CHARGE],
] as const;

export type GroupCode = (typeof TURNOVER_GROUPS)[number][0];

export interface Part {
  readonly code: string;
  readonly name: string;
  readonly kind: number;
  readonly unit: number;
  readonly group: GroupCode;
  /** Cents: the lowest and the highest price. */
  readonly price: readonly [number, number];
  readonly vat: number;
}

const part = (
  code: string,
  name: string,
  price: readonly [number, number],
  [kind, unit, group, vat]: readonly [number, number, GroupCode, number],
): Part => ({ code, name, kind, unit, group, price, vat });

const PARTS = [PART, PIECE, 'OND', HIGH] as const;
const PAIRS = [PART, SET, 'OND', HIGH] as const;
const HOURS = [LABOUR, HOUR, 'ARB', HIGH] as const;
const FLUIDS = [FLUID, LITRE, 'OLI', HIGH] as const;
const TYRES = [TYRE, PIECE, 'BND', HIGH] as const;

/** The first of each kind come first: a small catalogue still has them all. */
export const KINDS_OF_PART: readonly Part[] = [
  part('ARB', 'Arbeid monteur', [7950, 9850], HOURS),
  part('OLF', 'Oliefilter', [890, 2150], PARTS),
  part('OLI', 'Motorolie 5W-30', [995, 1890], FLUIDS),
  part('BND', 'Zomerband 205/55 R16', [6950, 13_900], TYRES),
  part('BLK', 'Remblokkenset voor', [3990, 9800], PAIRS),
  part('APK', 'APK-keuring', [2950, 4500], [EXTERNAL, PIECE, 'DRD', HIGH]),
  part('MIL', 'Milieutoeslag ♻️', [295, 750], [SURCHARGE, PIECE, 'OND', HIGH]),
  part('LEG', 'RDW-afmelding', [445, 445], [OTHER, PIECE, 'LEG', OUTSIDE]),
  part('FTS', 'Reparatie fietsendrager (fiets)', [1500, 4500], [OTHER, PIECE, 'FTS', LOW]),
  part('LTF', 'Luchtfilter', [1290, 3450], PARTS),
  part('INF', 'Interieurfilter (actieve koolstof)', [1490, 3950], PARTS),
  part('BRF', 'Brandstoffilter', [1790, 5290], PARTS),
  part('DIA', 'Diagnose elektrisch systeem', [8950, 10_950], HOURS),
  part('SCH', 'Remschijvenset voor', [6900, 18_900], PAIRS),
  part('BLA', 'Remblokkenset achter', [3590, 8600], PAIRS),
  part('KVS', 'Koelvloeistof −35 °C', [490, 890], FLUIDS),
  part('RVS', 'Remvloeistof DOT 4', [790, 1390], FLUIDS),
  part('WBD', 'Winterband 195/65 R15', [7950, 14_500], TYRES),
  part('VBD', 'Vierseizoenenband 225/45 R17', [9450, 17_900], TYRES),
  part('ACU', 'Accu 70 Ah start-stop', [11_900, 23_900], PARTS),
  part('BGE', 'Bougie iridium', [990, 2290], PARTS),
  part('RTW', 'Ruitenwissersset', [2490, 4990], PAIRS),
  part('DIS', 'Distributieriemset met waterpomp', [14_900, 32_900], PAIRS),
  part('KOP', 'Koppelingsset', [18_900, 42_500], PAIRS),
  part('SCK', 'Schokdemper', [6490, 14_900], PARTS),
  part('WLG', 'Wiellager', [4490, 9900], PARTS),
  part('LMP', 'Lamp H7 àntisplinter', [690, 1990], PARTS),
  part('SLG', 'Koelwaterslang', [1290, 2890], [PART, METRE, 'OND', HIGH]),
  part('KMD', 'Koudemiddel R1234yf', [14_900, 19_900], [FLUID, KILOGRAM, 'OLI', HIGH]),
  part('RSV', 'Ruitensproeiervloeistof', [190, 390], FLUIDS),
  part('UIT', 'Uitlijnen bij derden', [6900, 9900], [EXTERNAL, PIECE, 'DRD', HIGH]),
  part('SPT', 'Spuitwerk bij derden', [22_500, 89_000], [EXTERNAL, PIECE, 'DRD', HIGH]),
  part('KGD', 'Wegenatlas Benelux', [1495, 2495], [OTHER, PIECE, 'FTS', LOW]),
  part('VRZ', 'Bemiddeling autoverzekering', [2500, 7500], [OTHER, PIECE, 'VRZ', EXEMPT]),
  part('EXP', 'Onderdelen voor export', [9900, 39_900], [PART, PIECE, 'EXP', ZERO]),
  part('STG', 'Statiegeld ruilonderdeel', [2500, 9000], [OTHER, PIECE, 'LEG', OUTSIDE]),
];

export const PART_BRANDS = [
  'Bosch',
  'MANN',
  'Brembo',
  'Valeo',
  'SKF',
  'Gates',
  'Febi',
  'Hella',
  'Pagid',
  'ATE',
];
export const TYRE_BRANDS = ['Vredestein', 'Michelin', 'Continental', 'Bridgestone', 'Hankook'];

/** Name, hours of labour, codes of its parts, what is added by hand. */
export const FLAT_RATES = [
  ['Kleine beurt', 1.2, ['OLF', 'OLI'], 'Controle vloeistoffen en banden ✔'],
  ['Grote beurt', 2.5, ['OLF', 'OLI', 'LTF'], 'Proefrit en eindcontrole'],
  ['APK met afmelding', 0.75, ['APK'], 'Roetmeting'],
  ['Remblokken voor vervangen', 1.1, ['BLK'], 'Remmen ontluchten'],
  ['Remschijven en -blokken voor', 1.8, ['SCH', 'BLK'], 'Remmentest op rollenbank'],
  ['Distributieriem vervangen', 4.5, ['DIS', 'KVS'], 'Klein materiaal'],
  ['Airco-onderhoud ❄️', 1, ['KMD'], 'Geurbehandeling à la carte'],
  ['Winterwissel vier banden', 0.8, ['WBD'], 'Balanceren'],
  ['Accu vervangen', 0.5, ['ACU'], 'Foutcodes uitlezen en wissen'],
  ['Koppeling vervangen', 6.2, ['KOP'], 'Beëdigde controle vliegwiel'],
] as const;
