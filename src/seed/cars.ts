// The makes and models that come to a garage, with what a maker's numbers begin with.
import { LISTS } from '../trade/lists.ts';

const { PETROL, DIESEL, ELECTRIC, HYBRID, PLUGIN_HYBRID, LPG } = LISTS.fuelkinds;
const { CAR, VAN, MOTORCYCLE, MOPED, TRAILER, CAMPER } = LISTS.vehiclekinds;

export interface Model {
  readonly make: string;
  /** The first three characters of its identification number. */
  readonly maker: string;
  readonly model: string;
  readonly kind: number;
  readonly fuels: readonly number[];
  readonly versions: readonly string[];
  readonly powerKw: number;
  /** Whole euros when new, all in. */
  readonly price: number;
  /** The first year it was made, as far as that matters here. */
  readonly since: number;
}

const model = (
  [make, maker]: readonly [string, string],
  name: string,
  [powerKw, price]: readonly [number, number],
  fuels: readonly number[],
  versions = TRIMS,
  kind: number = CAR,
  since = 1999,
): Model => ({ make, maker, model: name, kind, fuels, versions, powerKw, price, since });

const TRIMS = ['Comfort', 'Business', 'Edition One', 'Première', 'Sport', 'Éco', 'Luxe'];
const WORK = ['L1H1', 'L2H2', 'L3H2', 'Dubbele cabine'];
const MIXED = [PETROL, PETROL, PETROL, DIESEL, HYBRID];

const VW = ['Volkswagen', 'WVW'] as const;
const TOYOTA = ['Toyota', 'SB1'] as const;
const OPEL = ['Opel', 'W0L'] as const;
const RENAULT = ['Renault', 'VF1'] as const;
const CITROEN = ['Citroën', 'VF7'] as const;
const PEUGEOT = ['Peugeot', 'VF3'] as const;
const FORD = ['Ford', 'WF0'] as const;
const VOLVO = ['Volvo', 'YV1'] as const;
const SKODA = ['Škoda', 'TMB'] as const;
const KIA = ['Kia', 'U5Y'] as const;
const BMW = ['BMW', 'WBA'] as const;

export const MODELS: readonly Model[] = [
  model(VW, 'Golf', [81, 31_500], MIXED),
  model(VW, 'Polo', [70, 24_900], [PETROL]),
  model(VW, 'up!', [48, 17_400], [PETROL, ELECTRIC], TRIMS, CAR, 2012),
  model(VW, 'ID.3', [150, 39_900], [ELECTRIC], ['Pro', 'Pure', 'Pro S'], CAR, 2020),
  model(VW, 'Transporter', [110, 43_000], [DIESEL], WORK, VAN),
  model(VW, 'California', [110, 76_000], [DIESEL], ['Beach', 'Océan'], CAMPER),
  model(TOYOTA, 'Yaris', [85, 25_400], [HYBRID, PETROL]),
  model(TOYOTA, 'Aygo', [53, 15_900], [PETROL]),
  model(TOYOTA, 'Corolla Touring Sports', [103, 34_700], [HYBRID]),
  model(OPEL, 'Corsa', [74, 23_200], [PETROL, PETROL, ELECTRIC]),
  model(OPEL, 'Astra', [96, 29_800], [...MIXED, PLUGIN_HYBRID]),
  model(OPEL, 'Vivaro', [90, 36_500], [DIESEL, ELECTRIC], WORK, VAN),
  model(RENAULT, 'Clio', [67, 22_600], [PETROL, HYBRID, LPG]),
  model(RENAULT, 'Mégane Estate', [103, 29_900], MIXED),
  model(RENAULT, 'Zoé', [100, 33_600], [ELECTRIC], ['R110', 'R135'], CAR, 2013),
  model(RENAULT, 'Kangoo', [75, 25_900], [DIESEL, ELECTRIC], WORK, VAN),
  model(CITROEN, 'C3', [61, 20_500], [PETROL]),
  model(CITROEN, 'Berlingo', [75, 27_300], [DIESEL, PETROL], WORK, VAN),
  model(PEUGEOT, '208', [74, 24_300], [PETROL, ELECTRIC]),
  model(PEUGEOT, '308 SW', [96, 33_100], [...MIXED, PLUGIN_HYBRID]),
  model(FORD, 'Fiesta', [74, 22_900], [PETROL]),
  model(FORD, 'Focus Wagon', [92, 30_400], MIXED),
  model(FORD, 'Transit Custom', [96, 39_800], [DIESEL], WORK, VAN),
  model(VOLVO, 'V60', [145, 49_900], [PETROL, DIESEL, PLUGIN_HYBRID]),
  model(VOLVO, 'XC40', [120, 45_500], [PETROL, PLUGIN_HYBRID, ELECTRIC], TRIMS, CAR, 2018),
  model(SKODA, 'Octavia Combi', [110, 35_200], MIXED),
  model(SKODA, 'Fabia', [70, 22_100], [PETROL]),
  model(KIA, 'Picanto', [49, 17_000], [PETROL]),
  model(KIA, 'Niro', [104, 36_900], [HYBRID, PLUGIN_HYBRID, ELECTRIC], TRIMS, CAR, 2016),
  model(BMW, '3-serie Touring', [135, 55_700], MIXED),
  model(['Tesla', 'LRW'], 'Model 3', [208, 44_000], [ELECTRIC], ['Long Range', 'Performance'], CAR, 2019),
  model(['Yamaha', 'JYA'], 'MT-07', [54, 9_400], [PETROL], ['ABS'], MOTORCYCLE),
  model(['Vespa', 'ZAP'], 'Primavera', [3, 4_300], [PETROL, ELECTRIC], ['S', 'Touring'], MOPED),
  model(['Böckmann', 'WBC'], 'Duo Ésprit', [0, 6_800], [], ['Polyester'], TRAILER),
];

/** Those that were built before 1999. */
export const CLASSICS: readonly Model[] = [
  model(VW, 'Kever', [29, 3_400], [PETROL], ['1300', 'Cabriolet']),
  model(CITROEN, '2CV6', [21, 3_900], [PETROL], ['Spécial', 'Charleston']),
  model(VOLVO, 'Amazon', [66, 5_200], [PETROL], ['121', 'Combi']),
  model(OPEL, 'Kadett', [40, 6_100], [PETROL, LPG], ['LS', 'GSi']),
  model(['Mercedes-Benz', 'WDB'], '200 D', [53, 14_800], [DIESEL], ['W123', 'W124']),
];

export const COLOURS = [
  'Zwart',
  'Grijs metallic',
  'Wit',
  'Blauw',
  'Donkerblauw métallisé',
  'Rood',
  'Groen',
  'Zilver',
  'Beige',
  'Café-crème',
];
