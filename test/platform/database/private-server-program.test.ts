// Which server opens a data folder of the private database.
import { chooseProgram, type Program } from '../../../src/platform/database/private-server-program.ts';
import { expect } from '../../support/client/expect.ts';

const MARIADB: Program = { path: '/usr/sbin/mariadbd', kind: 'mariadb' };
const MYSQL: Program = { path: '/usr/sbin/mysqld', kind: 'mysql' };
const data = '/storage/database/data';

const refusal = (...given: Parameters<typeof chooseProgram>): string => {
  try {
    chooseProgram(...given);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('the program of a private database server', () => {
  it('is MariaDB for a new folder, or MySQL where only MySQL is installed', () => {
    const fresh = { data, made: undefined, kind: undefined };

    expect(chooseProgram([MYSQL, MARIADB], fresh)).to.equal(MARIADB);
    expect(chooseProgram([MYSQL], fresh)).to.equal(MYSQL);
    expect(refusal([], fresh)).to.match(/^No database server found: /);
  });

  it('is named with its own words if it can not run', async () => {
    const said =
      "The database server /usr/sbin/mariadbd can't run: This server doesn't support dates later than 2038";

    expect(refusal([], { data, made: undefined, kind: undefined, broken: [said] })).to.equal(said);
    expect(refusal([MYSQL], { data, made: 'mariadb', kind: undefined, broken: [said] })).to.equal(said);
    expect(chooseProgram([MYSQL], { data, made: 'mysql', kind: undefined, broken: [said] })).to.equal(MYSQL);
  });

  it('is the one of DATABASE_SERVER for a new folder', () => {
    const fresh = { data, made: undefined, kind: 'mysql' } as const;

    expect(chooseProgram([MARIADB, MYSQL], fresh)).to.equal(MYSQL);
    expect(refusal([MARIADB], fresh)).to.match(/^No mysqld found: /);
  });

  it('is the one that made the folder, whichever else is installed', () => {
    const made = { data, made: 'mysql', kind: undefined } as const;

    expect(chooseProgram([MARIADB, MYSQL], made)).to.equal(MYSQL);
    expect(refusal([MARIADB], made)).to.equal(
      `MySQL made the data folder ${data}, and only MariaDB is installed here: install MySQL, or choose another STORAGE_DIR.`,
    );
  });

  it('is never another one than DATABASE_SERVER names', () => {
    const made = { data, made: 'mariadb', kind: 'mysql' } as const;

    expect(refusal([MARIADB, MYSQL], made)).to.equal(
      `MariaDB made the data folder ${data}, but DATABASE_SERVER is mysql: unset DATABASE_SERVER, or choose another STORAGE_DIR.`,
    );
  });
});
