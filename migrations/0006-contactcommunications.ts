import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'contactcommunications',
  `
  contact_id INT NOT NULL,
  communication_type TINYINT NOT NULL,
  value VARCHAR(150) NOT NULL,
  description VARCHAR(60) NULL,
  is_prefered_email TINYINT NOT NULL DEFAULT 0,
  KEY contactcommunications__contact_id (owner_id, contact_id),
  CONSTRAINT contactcommunications__contact_id__reference FOREIGN KEY (owner_id, contact_id) REFERENCES contacts (owner_id, id),
  KEY contactcommunications__communication_type (owner_id, communication_type),
  KEY contactcommunications__value (owner_id, value)
`,
);
