// The articles of a catalogue: each kind of part in turn, of some brand, for some model.
import { LISTS } from '../trade/lists.ts';
import { MODELS } from './cars.ts';
import { ean } from './identifiers.ts';
import type { Draft } from './insert.ts';
import { type GroupCode, KINDS_OF_PART, PART_BRANDS, TYRE_BRANDS } from './parts.ts';
import type { Random } from './random.ts';

const { PART, TYRE, FLUID, LABOUR } = LISTS.articlekinds;
const FITTED_TO_A_MODEL: readonly number[] = [PART];
const KEPT_IN_STOCK: readonly number[] = [PART, TYRE, FLUID];

export interface ArticleParts {
  readonly suffix: string;
  readonly groups: ReadonlyMap<GroupCode, number>;
  /** IDs of contacts. */
  readonly suppliers: readonly number[];
}

/** Article numbers are the code of the part, a number and the suffix: `OLF-0002`. */
export function articleDrafts(
  random: Random,
  count: number,
  { suffix, groups, suppliers }: ArticleParts,
): Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const part = KINDS_OF_PART[index % KINDS_OF_PART.length] ?? random.pick(KINDS_OF_PART);
    const { make, model } = random.pick(MODELS);
    const price = random.whole(...part.price);
    const isStock = KEPT_IN_STOCK.includes(part.kind);
    return {
      article_number: `${part.code}-${String(index + 1).padStart(4, '0')}${suffix}`,
      description: FITTED_TO_A_MODEL.includes(part.kind) ? `${part.name} ${make} ${model}` : part.name,
      article_kind: part.kind,
      unit_type: part.unit,
      brand: part.kind === TYRE ? random.pick(TYRE_BRANDS) : isStock ? random.pick(PART_BRANDS) : null,
      ean: isStock ? ean(random) : null,
      supplier_contact_id: isStock ? random.pick(suppliers) : null,
      purchase_price: part.kind === LABOUR ? null : euros(Math.round(price * 0.62)),
      price: euros(price),
      vat_code: part.vat,
      turnover_group_id: groups.get(part.group) ?? null,
      stock_quantity: isStock ? `${random.whole(0, 40)}.0000` : null,
      location: isStock
        ? `${random.pick(['A', 'B', 'C', 'É'])}-${random.whole(1, 24)}-${random.whole(1, 6)}`
        : null,
      is_stock_item: isStock ? 1 : 0,
    };
  });
}

/** Cents as the column of a price holds them. */
const euros = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}00`;
