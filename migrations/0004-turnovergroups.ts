import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'turnovergroups',
  `
  code VARCHAR(10) NOT NULL,
  name VARCHAR(80) NOT NULL,
  ledger_account VARCHAR(20) NULL,
  cost_ledger_account VARCHAR(20) NULL,
  vat_code TINYINT NOT NULL,
  sort_order INT NULL,
  UNIQUE KEY turnovergroups__code (owner_id, code),
  KEY turnovergroups__name (owner_id, name),
  KEY turnovergroups__sort_order (owner_id, sort_order)
`,
);
