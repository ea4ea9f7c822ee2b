// Work at a fixed price, with lines of the three kinds that the specification's conditions allow: an
// article at its own price, an article at the line's price, and text filled in by hand.
import { Decimal, roundTo } from '../trade/decimal.ts';
import { LISTS } from '../trade/lists.ts';
import { daysAfterStart } from './calendar.ts';
import { MODELS } from './cars.ts';
import type { Draft } from './insert.ts';
import { FLAT_RATES, type GroupCode } from './parts.ts';
import type { Random } from './random.ts';

export interface RateParts {
  readonly suffix: string;
  readonly groups: ReadonlyMap<GroupCode, number>;
  readonly articles: readonly Draft[];
}

export interface Rate {
  readonly rate: Draft;
  /** Without `flatrate_id`, which is known once the rate is written. */
  readonly lines: readonly Draft[];
}

/** Codes are `FR-001` and on, and the suffix. */
export function flatRateDrafts(random: Random, count: number, parts: RateParts): Rate[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, hours, codes, byHand] = FLAT_RATES[index % FLAT_RATES.length] ?? FLAT_RATES[0];
    const { make, model, fuels } = random.pick(MODELS.filter(({ fuels }) => fuels.length > 0));
    const lines = linesOf(random, hours, codes, byHand, parts);
    const rate = {
      code: `FR-${String(index + 1).padStart(3, '0')}${parts.suffix}`,
      name: `${name} ${make} ${model}`,
      description: `${name}, inclusief controle en proefrit. Prijs geldt voor de ${model}.`,
      vehicle_make: make,
      vehicle_model: model,
      fuel_kind: random.pick(fuels),
      labour_hours: String(hours),
      vat_code: LISTS.vatcodes.HIGH,
      turnover_group_id: parts.groups.get('ARB') ?? null,
      valid_from: daysAfterStart(random.whole(0, 300)),
      valid_until: random.chance(0.3) ? daysAfterStart(random.whole(600, 2400)) : null,
      total_net: totalOf(lines, parts.articles),
    };
    return { rate, lines };
  });
}

function linesOf(
  random: Random,
  hours: number,
  codes: readonly string[],
  byHand: string,
  { articles, groups }: RateParts,
): Draft[] {
  const withCode = (code: string) =>
    random.pick(articles.filter(({ article_number }) => String(article_number).startsWith(`${code}-`)));
  const labour = articleLine(withCode('ARB'), String(hours));
  const used = codes.map((code) => {
    const line = articleLine(withCode(code), code === 'OLI' ? '4.3' : '1');
    return random.chance(0.3)
      ? { ...line, price: `${random.whole(10, 40)}.95`, is_no_article_price: 1 }
      : line;
  });
  const manual = {
    description: byHand,
    article_kind: LISTS.articlekinds.OTHER,
    unit_type: LISTS.unittypes.PIECE,
    quantity: '1',
    price: `${random.whole(5, 35)}.00`,
    turnover_group_id: groups.get('ARB') ?? null,
    is_manual_input: 1,
  };
  return [labour, ...used, manual].map((line, index) => ({ ...line, sort_order: index + 1 }));
}

const articleLine = (article: Draft, quantity: string): Draft => ({
  article_id: article.id ?? null,
  article_number: article.article_number ?? null,
  article_kind: article.article_kind ?? null,
  unit_type: article.unit_type ?? null,
  description: article.description ?? null,
  quantity,
  turnover_group_id: article.turnover_group_id ?? null,
});

/** As the service keeps it: a line without a price counts at its article's, each line rounded to the cent. */
function totalOf(lines: readonly Draft[], articles: readonly Draft[]): string {
  const prices = new Map(articles.map(({ id, price }) => [id, price]));
  const total = lines.reduce((sum, { quantity, price, article_id }) => {
    const amount = new Decimal(String(quantity)).times(String(price ?? prices.get(article_id ?? null) ?? 0));
    return sum.plus(roundTo(amount, 2));
  }, new Decimal(0));
  return roundTo(total, 2);
}
