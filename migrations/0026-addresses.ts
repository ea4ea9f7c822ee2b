import { table } from './table.ts';

export const { up, down } = table(
  'addresses',
  `
  postcode VARCHAR(10) NOT NULL,
  huisnummer INT NOT NULL,
  toevoeging VARCHAR(10) NOT NULL DEFAULT '',
  street VARCHAR(100) NOT NULL,
  city VARCHAR(80) NOT NULL,
  PRIMARY KEY (postcode, huisnummer, toevoeging)
`,
);
