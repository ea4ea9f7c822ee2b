import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'invoiceparties',
  `
  order_id INT NOT NULL,
  seller MEDIUMTEXT NOT NULL,
  buyer MEDIUMTEXT NOT NULL,
  UNIQUE KEY invoiceparties__order_id (owner_id, order_id),
  CONSTRAINT invoiceparties__order_id__reference FOREIGN KEY (owner_id, order_id) REFERENCES orders (owner_id, id)
`,
);
