import { table } from './table.ts';

export const { up, down } = table(
  'countries',
  `
  id INT NOT NULL AUTO_INCREMENT,
  version INT NOT NULL DEFAULT 1,
  external_id VARCHAR(64) NULL,
  is_blocked TINYINT NOT NULL DEFAULT 0,
  is_archived TINYINT NOT NULL DEFAULT 0,
  is_system TINYINT NOT NULL DEFAULT 0,
  created_at DATETIME(3) NOT NULL,
  modified_at DATETIME(3) NOT NULL,
  code VARCHAR(2) NOT NULL,
  name VARCHAR(80) NOT NULL,
  is_eu TINYINT NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  UNIQUE KEY countries__code (code)
`,
);
