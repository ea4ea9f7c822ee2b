import { table } from './table.ts';

export const { up, down } = table(
  'password_resets',
  `
  reset_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  owner_id INT NOT NULL,
  employee_id INT NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  PRIMARY KEY (reset_hash),
  KEY password_resets__expires_at (expires_at),
  KEY password_resets__employee_id (owner_id, employee_id),
  CONSTRAINT password_resets__employee_id__reference FOREIGN KEY (owner_id, employee_id)
    REFERENCES employees (owner_id, id) ON DELETE CASCADE
`,
);
