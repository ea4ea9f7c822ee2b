// How the documents of a garage look today. A job reads this once: preparing a logo takes longer than a document.

import { findRecord } from '../../model/find.ts';
import type { Session } from '../../model/session.ts';
import { Owner } from '../../resources/owner.ts';
import type { HouseStyle } from '../pdf/document.ts';
import { prepareLogo } from '../pdf/logo.ts';

/** The colour of the garage, and its logo as prepared for documents. */
export async function readHouseStyle(session: Session, owner: number): Promise<HouseStyle> {
  const columns = ['logo', 'accent_color'];
  const { logo, accent_color } = (await findRecord(session, Owner.resource, owner, owner, columns)) ?? {};
  return {
    accent_color: accent_color == null ? null : String(accent_color),
    logo: logo == null ? undefined : await prepareLogo(Buffer.from(String(logo), 'base64')),
  };
}
