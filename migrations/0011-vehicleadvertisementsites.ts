import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'vehicleadvertisementsites',
  `
  vehicle_id INT NOT NULL,
  site_kind TINYINT NOT NULL,
  price DECIMAL(16, 2) NULL,
  title VARCHAR(120) NULL,
  deeplink VARCHAR(255) NULL,
  publish_from DATETIME(3) NULL,
  publish_until DATETIME(3) NULL,
  KEY vehicleadvertisementsites__vehicle_id (owner_id, vehicle_id),
  CONSTRAINT vehicleadvertisementsites__vehicle_id__reference FOREIGN KEY (owner_id, vehicle_id) REFERENCES vehicles (owner_id, id),
  UNIQUE KEY vehicleadvertisementsites__site_kind (owner_id, vehicle_id, site_kind)
`,
);
