import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'licenseplatehistory',
  `
  vehicle_id INT NOT NULL,
  license_plate VARCHAR(12) NOT NULL,
  changed_at DATETIME(3) NOT NULL,
  KEY licenseplatehistory__vehicle_id (owner_id, vehicle_id),
  CONSTRAINT licenseplatehistory__vehicle_id__reference FOREIGN KEY (owner_id, vehicle_id) REFERENCES vehicles (owner_id, id)
`,
);
