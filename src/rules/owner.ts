// The logo of a garage must be a picture.
import { violation } from '../errors.ts';
import { type Change, type RowIn, rulesOf } from '../model/record.ts';
import { LOGO } from '../model/validation.ts';
import { Owner } from '../resources/owner.ts';
import { isPicture } from '../trade/picture.ts';

rulesOf(Owner, { rules: [logoIsPicture] });

/** Decodes the logo. The check of the field itself sees only how the logo begins. */
async function logoIsPicture({ given }: Change<RowIn<typeof Owner>>) {
  const logo = given('logo');
  if (typeof logo !== 'string' || (await isPicture(Buffer.from(logo, 'base64')))) return undefined;
  return violation('value_invalid', { field: 'logo', value: logo, validation: LOGO.name });
}
