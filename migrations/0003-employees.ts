import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'employees',
  `
  username VARCHAR(60) NULL,
  emailaddress VARCHAR(150) NULL,
  first_name VARCHAR(60) NOT NULL,
  prefix VARCHAR(15) NULL,
  last_name VARCHAR(80) NOT NULL,
  initials VARCHAR(15) NULL,
  phone VARCHAR(25) NULL,
  mobile VARCHAR(25) NULL,
  role_kind TINYINT NOT NULL,
  function_kind TINYINT NULL,
  is_external TINYINT NOT NULL DEFAULT 0,
  start_date DATETIME(3) NULL,
  end_date DATETIME(3) NULL,
  hourly_rate DECIMAL(16, 2) NULL,
  last_login_at DATETIME(3) NULL,
  notes TEXT NULL,
  password_hash VARCHAR(255) NULL,
  UNIQUE KEY employees__username (username),
  KEY employees__last_name (owner_id, last_name),
  KEY employees__role_kind (owner_id, role_kind)
`,
);
