import { table } from './table.ts';

export const { up, down } = table(
  'login_failures',
  `
  \`key\` VARCHAR(255) NOT NULL,
  points INT NOT NULL DEFAULT 0,
  expire BIGINT UNSIGNED NULL,
  PRIMARY KEY (\`key\`)
`,
);
