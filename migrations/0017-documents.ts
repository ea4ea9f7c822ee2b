import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'documents',
  `
  document_kind TINYINT NOT NULL,
  name VARCHAR(150) NOT NULL,
  file_name VARCHAR(200) NOT NULL,
  mime_type VARCHAR(100) NOT NULL,
  size INT NULL,
  sha256 VARCHAR(64) NULL,
  order_id INT NULL,
  vehicle_id INT NULL,
  contact_id INT NULL,
  notes TEXT NULL,
  KEY documents__document_kind (owner_id, document_kind),
  KEY documents__name (owner_id, name),
  KEY documents__sha256 (owner_id, sha256),
  KEY documents__order_id (owner_id, order_id),
  CONSTRAINT documents__order_id__reference FOREIGN KEY (owner_id, order_id) REFERENCES orders (owner_id, id),
  KEY documents__vehicle_id (owner_id, vehicle_id),
  CONSTRAINT documents__vehicle_id__reference FOREIGN KEY (owner_id, vehicle_id) REFERENCES vehicles (owner_id, id),
  KEY documents__contact_id (owner_id, contact_id),
  CONSTRAINT documents__contact_id__reference FOREIGN KEY (owner_id, contact_id) REFERENCES contacts (owner_id, id)
`,
);
