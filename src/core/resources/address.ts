// The address file: which street and city belong to a postcode and a number. `forecourt import-addresses` fills it.
import { BaseModel } from '../model/statements/base-model.ts';
import { valueFirst } from '../model/statements/fragment.ts';
import type { Session } from '../model/statements/session.ts';

export class Address extends BaseModel {
  static override tableName = 'addresses';
  static override idColumn = ['postcode', 'huisnummer', 'toevoeging'];
  declare postcode: string;
  declare huisnummer: number;
  /** Empty if the address has none. */
  declare toevoeging: string;
  declare street: string;
  declare city: string;
}

/** The address, or another one with the same house number, since that has the same street. */
export const findAddress = (
  { knex }: Session,
  postcode: string,
  huisnummer: number,
  toevoeging = '',
): Promise<Address | undefined> =>
  Address.query(knex)
    .where({ postcode, huisnummer })
    .orderBy(valueFirst('toevoeging', toevoeging.toUpperCase()))
    .orderBy('toevoeging')
    .first()
    .execute();
