// Reads how the documents of a garage look. A job reads this once.

import { garageOf } from '../../../core/model/statements/garage.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { Owner } from '../../../core/resources/owner.ts';
import { digestOfLogo, type PrintedLogo, placeLogo, printLogo } from '../../../core/trade/picture/logo.ts';
import type { HouseStyle } from '../pdf/data.ts';

/** The look of today. An invoice without a logo is better than none, so a logo that can't be decoded is left out. */
export async function readHouseStyle(database: Database, owner: number): Promise<HouseStyle> {
  const row = await Owner.of(garageOf(database, owner))
    .select('logo', 'accent_color', 'printed_logo', 'printed_logo_of')
    .first();
  if (!row?.logo) return { accent_color: row?.accent_color ?? null };
  const digest = digestOfLogo(row.logo);
  const printed_logo =
    row.printed_logo_of === digest ? row.printed_logo : await printNow(database, owner, row.logo, digest);
  const logo = printed_logo === null ? undefined : placeLogo(Buffer.from(printed_logo, 'base64'));
  return { accent_color: row.accent_color, logo };
}

/** A logo that a restore has brought, or that is older than printed logos, is decoded here, and never again. */
async function printNow(
  database: Database,
  owner: number,
  logo: string,
  digest: string,
): Promise<string | null> {
  const printed = await printLogo(Buffer.from(logo, 'base64'));
  const columns: PrintedLogo = {
    printed_logo: printed?.toString('base64') ?? null,
    printed_logo_of: digest,
  };
  await Owner.of(garageOf(database, owner)).patch(columns);
  return columns.printed_logo;
}
