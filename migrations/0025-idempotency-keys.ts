import { table } from './table.ts';

export const { up, down } = table(
  'idempotency_keys',
  `
  owner_id INT NOT NULL,
  api_key_id INT NOT NULL,
  idempotency_key VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status SMALLINT NOT NULL,
  headers TEXT NOT NULL,
  body MEDIUMTEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (owner_id, api_key_id, idempotency_key),
  KEY idempotency_keys__created_at (created_at),
  CONSTRAINT idempotency_keys__owner FOREIGN KEY (owner_id) REFERENCES owners (id) ON DELETE CASCADE
`,
);
