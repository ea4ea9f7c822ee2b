// The input of a journal: a garage, its ledger accounts and a period.
import { type Days, type Period, periodOf } from '../../business/books/period.ts';
import { readRegimes } from '../../business/invoicing/regime/regime.ts';
import type { Row } from '../../core/model/fields/field.ts';
import { columnsWithoutBytes } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Owner } from '../../core/resources/owner.ts';
import { TurnoverGroup } from '../../core/resources/turnover-group.ts';
import { isAccountName } from '../../core/trade/kinds/account.ts';
import { packageVatCodes } from '../../core/trade/package-vat-codes.ts';
import type { AccountField, Choices, MarginToBook } from '../../core/trade/posting.ts';
import { isGlobal, type Regime, regimeOn } from '../../core/trade/vat-regime.ts';
import { JOURNALS } from './journals.ts';

/** The ledger accounts of a garage. */
export interface Ledger extends Pick<Choices, 'hasStock'> {
  /** Undefined if the field is empty. */
  account(field: AccountField): string | undefined;
  /** The code by which the bookkeeping program of the garage knows a VAT code. */
  packageCode(code: number): string;
  /** All accounts that are filled in, with the name of their turnover group. */
  readonly accounts: readonly (AccountField & { readonly number: string; readonly name?: string })[];
  /** The turnover groups with at least one empty account. */
  readonly incomplete: readonly number[];
}

/** The choices about the books on a day: the method of margins may change. */
export const booksOn = ({ ledger, regimes }: Pick<Scope, 'ledger' | 'regimes'>, day: string): Choices => ({
  hasStock: ledger.hasStock,
  isMarginPosted: !isGlobal(regimeOn(regimes, day)),
});

export interface Scope {
  readonly garage: Garage;
  /** The journals that were asked for. */
  readonly journals: ReadonlySet<string>;

  /** The garage itself. */
  readonly company: Company;
  /** The settings of its VAT return by day. */
  readonly regimes: readonly Regime[];
  readonly period: Period;
  readonly ledger: Ledger;
  /** The VAT of margins that the journal books: `openJournal` reads it. */
  readonly margins: readonly MarginToBook[];
}

type Company = Omit<Owner, 'logo' | 'printed_logo'> | undefined;

/** A garage that does not exist has an empty journal; it is no error. */
export async function readScope(
  garage: Garage,
  days: Days,
  journals: readonly string[] = JOURNALS,
): Promise<Scope> {
  const company = await Owner.of(garage).select(columnsWithoutBytes(Owner.resource)).first();
  const period = periodOf(days, company);
  const regimes = company ? await readRegimes(garage, company) : [];
  const ledger = await readLedger(garage, company);
  return { garage, company, regimes, period, journals: new Set(journals), ledger, margins: [] };
}

/** The accounts of a turnover group. Every sale needs the first account; only some sales need the others. */
const OF_GROUPS = ['ledger_account', 'cost_ledger_account', 'stock_ledger_account'] as const;

async function readLedger(garage: Garage, company: Company): Promise<Ledger> {
  const groups = await TurnoverGroup.of(garage).select('id', 'name', ...OF_GROUPS);
  const byId = new Map<unknown, TurnoverGroup>(groups.map((group) => [group.id, group]));
  const read = (record: object | undefined, field: string) =>
    String((record as Row | undefined)?.[field] ?? '').trim();
  const account = ({ group, field }: AccountField) =>
    read(group === undefined ? company : byId.get(group), field) || undefined;
  const ofGarage = [...Owner.resource.fields.keys()].filter(isAccountName);
  const fields = [
    ...ofGarage.map((field) => ({ field })),
    ...groups.flatMap(({ id, name }) => OF_GROUPS.map((field) => ({ group: Number(id), name, field }))),
  ];
  return {
    account,
    packageCode: packageVatCodes(company?.vat_codes ?? null),
    accounts: fields.flatMap((field) => {
      const number = account(field);
      return number === undefined ? [] : { ...field, number };
    }),
    incomplete: groups
      .filter((group) => OF_GROUPS.some((field) => read(group, field) === ''))
      .map(({ id }) => Number(id)),
    hasStock: (group) => account({ group, field: 'stock_ledger_account' }) !== undefined,
  };
}
