import { table } from './table.ts';

export const { up, down } = table(
  'job_callbacks',
  `
  id BIGINT NOT NULL AUTO_INCREMENT,
  job_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  at DATETIME(3) NOT NULL,
  status SMALLINT NULL,
  error VARCHAR(500) NULL,
  PRIMARY KEY (id),
  KEY job_callbacks__job_id (job_id, id),
  CONSTRAINT job_callbacks__job_id__reference FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE
`,
);
