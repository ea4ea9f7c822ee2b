import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'vehiclerolelines',
  `
  vehicle_id INT NOT NULL,
  contact_id INT NOT NULL,
  role_kind TINYINT NOT NULL,
  start_date DATETIME(3) NOT NULL,
  end_date DATETIME(3) NULL,
  contract_number VARCHAR(40) NULL,
  notes TEXT NULL,
  KEY vehiclerolelines__vehicle_id (owner_id, vehicle_id),
  CONSTRAINT vehiclerolelines__vehicle_id__reference FOREIGN KEY (owner_id, vehicle_id) REFERENCES vehicles (owner_id, id),
  KEY vehiclerolelines__contact_id (owner_id, contact_id),
  CONSTRAINT vehiclerolelines__contact_id__reference FOREIGN KEY (owner_id, contact_id) REFERENCES contacts (owner_id, id),
  KEY vehiclerolelines__role_kind (owner_id, role_kind),
  KEY vehiclerolelines__end_date (owner_id, end_date)
`,
);
