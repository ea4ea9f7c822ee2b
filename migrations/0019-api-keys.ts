import { table } from './table.ts';

export const { up, down } = table(
  'api_keys',
  `
  id INT NOT NULL AUTO_INCREMENT,
  party VARCHAR(100) NOT NULL,
  key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  allow TEXT NOT NULL,
  webhook_secret VARCHAR(255) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  revoked_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE KEY api_keys__key_hash (key_hash)
`,
);
