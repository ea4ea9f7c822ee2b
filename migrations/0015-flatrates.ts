import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'flatrates',
  `
  code VARCHAR(30) NOT NULL,
  name VARCHAR(120) NOT NULL,
  description TEXT NULL,
  vehicle_make VARCHAR(50) NULL,
  vehicle_model VARCHAR(80) NULL,
  fuel_kind TINYINT NULL,
  labour_hours DECIMAL(18, 4) NULL,
  vat_code TINYINT NULL,
  turnover_group_id INT NULL,
  valid_from DATETIME(3) NULL,
  valid_until DATETIME(3) NULL,
  total_net DECIMAL(16, 2) NOT NULL DEFAULT '0.00',
  UNIQUE KEY flatrates__code (owner_id, code),
  KEY flatrates__name (owner_id, name),
  KEY flatrates__turnover_group_id (owner_id, turnover_group_id),
  CONSTRAINT flatrates__turnover_group_id__reference FOREIGN KEY (owner_id, turnover_group_id) REFERENCES turnovergroups (owner_id, id)
`,
);
