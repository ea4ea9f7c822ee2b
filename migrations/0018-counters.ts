import { table } from './table.ts';

export const { up, down } = table(
  'counters',
  `
  owner_id INT NOT NULL,
  name VARCHAR(40) NOT NULL,
  value INT NOT NULL,
  PRIMARY KEY (owner_id, name),
  CONSTRAINT counters__owner FOREIGN KEY (owner_id) REFERENCES owners (id) ON DELETE CASCADE
`,
);
