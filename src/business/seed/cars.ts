// The cars that come to a garage.
import { LISTS } from '../../core/trade/lists.ts';

const { PETROL, DIESEL, ELECTRIC, HYBRID, PLUGIN_HYBRID, LPG } = LISTS.fuelkinds;
const { CAR, VAN, MOTORCYCLE, MOPED, TRAILER, CAMPER } = LISTS.vehiclekinds;
const MIXED = [PETROL, PETROL, DIESEL, HYBRID];

/** Make, first three characters of its VIN, model, kind, first year, kW, price in euros when new, fuels. */
const TABLE: [string, string, string, number, number, number, number, number[]][] = [
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

export const CARS = TABLE.map(([make, maker, model, kind, since, power_kw, price, fuels]) => {
  return { make, maker, model, kind, since, power_kw, price, fuels };
});

export const TRIMS = ['Comfort', 'Business', 'Edition One', 'Première', 'Sport', 'Éco', 'Luxe'];
export const COLOURS = [
  'Zwart',
  'Grijs metallic',
  'Wit',
  'Donkerblauw métallisé',
  'Rood',
  'Zilver',
  'Café-crème',
];
