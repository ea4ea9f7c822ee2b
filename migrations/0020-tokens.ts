import { table } from './table.ts';

export const { up, down } = table(
  'tokens',
  `
  token_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  owner_id INT NOT NULL,
  employee_id INT NOT NULL,
  api_key_id INT NOT NULL,
  issued_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  PRIMARY KEY (token_hash),
  KEY tokens__expires_at (expires_at),
  KEY tokens__employee_id (owner_id, employee_id),
  KEY tokens__api_key_id (api_key_id),
  CONSTRAINT tokens__employee_id__reference FOREIGN KEY (owner_id, employee_id)
    REFERENCES employees (owner_id, id) ON DELETE CASCADE,
  CONSTRAINT tokens__api_key_id__reference FOREIGN KEY (api_key_id) REFERENCES api_keys (id) ON DELETE CASCADE
`,
);
