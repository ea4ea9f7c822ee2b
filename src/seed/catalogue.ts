// What an owner sets up once: employees, suppliers, turnover groups, articles, flat rates. Codes of a second
// seeding bear a suffix made of the owner's contact numbers, which never come back.
import { Article } from '../resources/article.ts';
import { Contact } from '../resources/contact.ts';
import { ContactCommunication } from '../resources/contact-communication.ts';
import { Employee } from '../resources/employee.ts';
import { FlatRate } from '../resources/flat-rate.ts';
import { FlatRateLine } from '../resources/flat-rate-line.ts';
import { TurnoverGroup } from '../resources/turnover-group.ts';
import { LISTS } from '../trade/lists.ts';
import { articleDrafts } from './articles.ts';
import { communicationsOf, leaseCompany, supplier } from './contacts.ts';
import { employeeDrafts } from './employees.ts';
import { flatRateDrafts } from './flat-rates.ts';
import { type Draft, idOf, type Writer } from './insert.ts';
import { LEASE_COMPANIES, SUPPLIERS } from './names.ts';
import { type GroupCode, TURNOVER_GROUPS } from './parts.ts';
import type { Random } from './random.ts';

/** What all later records refer to. */
export interface Catalogue {
  readonly mechanics: readonly Draft[];
  readonly advisors: readonly Draft[];
  readonly leaseCompanies: readonly Draft[];
  readonly groups: ReadonlyMap<GroupCode, number>;
  readonly labour: readonly Draft[];
  /** All other articles. */
  readonly goods: readonly Draft[];
}

const MOST_ARTICLES = 1000;
const FEWEST_ARTICLES = 200;

/** Writes it, in sizes that suit so many orders. */
export async function makeCatalogue(writer: Writer, random: Random, orders: number): Promise<Catalogue> {
  const first = await writer.reserve('contact', SUPPLIERS.length + LEASE_COMPANIES.length);
  const suffix = first === 1 ? '' : `-${first.toString(36).toUpperCase()}`;
  const employees = employeeDrafts(random, within(orders / 1000, 8, 30));
  await writer.write(Employee.resource, employees);

  const suppliers = SUPPLIERS.map((name, index) => supplier(random, name, first + index));
  const leaseCompanies = LEASE_COMPANIES.map((name, index) =>
    leaseCompany(random, name, first + SUPPLIERS.length + index),
  );
  await writer.write(Contact.resource, [...suppliers, ...leaseCompanies]);
  const communications = [...suppliers, ...leaseCompanies].flatMap((contact) =>
    communicationsOf(random, contact),
  );
  await writer.write(ContactCommunication.resource, communications);

  const groups = await writeGroups(writer, suffix);
  const articles = articleDrafts(random, within(orders / 20, FEWEST_ARTICLES, MOST_ARTICLES), {
    suffix,
    groups,
    suppliers: suppliers.map(idOf),
  });
  await writer.write(Article.resource, articles);

  const rates = flatRateDrafts(random, within(orders / 200, 10, 60), { suffix, groups, articles });
  await writer.write(
    FlatRate.resource,
    rates.map(({ rate }) => rate),
  );
  for (const { rate, lines } of rates) for (const line of lines) line.flatrate_id = idOf(rate);
  await writer.write(
    FlatRateLine.resource,
    rates.flatMap(({ lines }) => lines),
  );

  const isLabour = ({ article_kind }: Draft) => article_kind === LISTS.articlekinds.LABOUR;
  const inFunction = (kind: number) => employees.filter(({ function_kind }) => function_kind === kind);
  return {
    mechanics: inFunction(LISTS.functionkinds.MECHANIC),
    advisors: inFunction(LISTS.functionkinds.ADVISOR),
    leaseCompanies,
    groups,
    labour: articles.filter(isLabour),
    goods: articles.filter((article) => !isLabour(article)),
  };
}

async function writeGroups(writer: Writer, suffix: string): Promise<Map<GroupCode, number>> {
  const drafts = TURNOVER_GROUPS.map(
    ([code, name, ledger_account, cost_ledger_account, vat_code], index) => ({
      code: `${code}${suffix}`,
      name,
      ledger_account,
      cost_ledger_account,
      vat_code,
      sort_order: (index + 1) * 10,
    }),
  );
  await writer.write(TurnoverGroup.resource, drafts);
  return new Map(
    drafts.map((draft: Draft, index) => [(TURNOVER_GROUPS[index] ?? TURNOVER_GROUPS[0])[0], idOf(draft)]),
  );
}

const within = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round(value)));
