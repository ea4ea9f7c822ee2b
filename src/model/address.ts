// The address file: which street and city belong to a postcode and a number. `forecourt import-addresses` fills it.
import { BaseModel } from './base-model.ts';

export class Address extends BaseModel {
  static override tableName = 'addresses';
  static override idColumn = ['postcode', 'huisnummer', 'toevoeging'];
  declare postcode: string;
  declare huisnummer: number;
  /** Empty where the address has none. */
  declare toevoeging: string;
  declare street: string;
  declare city: string;
}
