import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'articles',
  `
  article_number VARCHAR(40) NOT NULL,
  description VARCHAR(255) NOT NULL,
  article_kind TINYINT NOT NULL,
  unit_type TINYINT NOT NULL,
  brand VARCHAR(60) NULL,
  ean VARCHAR(14) NULL,
  supplier_contact_id INT NULL,
  purchase_price DECIMAL(18, 4) NULL,
  price DECIMAL(18, 4) NOT NULL,
  vat_code TINYINT NOT NULL,
  turnover_group_id INT NOT NULL,
  stock_quantity DECIMAL(18, 4) NULL,
  location VARCHAR(30) NULL,
  is_stock_item TINYINT NOT NULL DEFAULT 0,
  UNIQUE KEY articles__article_number (owner_id, article_number),
  KEY articles__description (owner_id, description),
  KEY articles__article_kind (owner_id, article_kind),
  KEY articles__ean (owner_id, ean),
  KEY articles__supplier_contact_id (owner_id, supplier_contact_id),
  CONSTRAINT articles__supplier_contact_id__reference FOREIGN KEY (owner_id, supplier_contact_id) REFERENCES contacts (owner_id, id),
  KEY articles__turnover_group_id (owner_id, turnover_group_id),
  CONSTRAINT articles__turnover_group_id__reference FOREIGN KEY (owner_id, turnover_group_id) REFERENCES turnovergroups (owner_id, id)
`,
);
