// Every command of the command line: help with an example, wrong usage, and --json. A new command needs no line here.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { COMMANDS } from '../../src/cli/commands.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { expect } from '../support/client/expect.ts';
import { NO_FILES } from '../support/database/no-files.ts';
import { joinServer } from '../support/database/private-server.ts';
import { select } from '../support/database/sql.ts';
import { forecourt } from '../support/process/forecourt.ts';
import { processEnvironment } from '../support/process/process.ts';

const nothing = async () => 0;
const program = buildProgram(nothing, { out: () => {}, err: () => {} });
const subcommands = ({ commands }: Command) => commands.filter((command) => command.name() !== 'help');
const leaves = (command: Command): Command[] =>
  subcommands(command).length === 0 ? [command] : subcommands(command).flatMap(leaves);
const wordsOf = (command: Command): string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : [];

describe('the command line', () => {
  const path = process.env.PATH;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let server: PrivateServer;
  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-cli-'));
    env = processEnvironment(join(folder, 'storage'));
    // Kept open, so that not every command starts a database and stops it again.
    server = await joinServer(join(folder, 'storage/database'));
    // Without systemctl: no command may restart a unit of the machine that runs the tests.
    process.env.PATH = '';
  });
  after(async function () {
    this.timeout(60_000);
    process.env.PATH = path;
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the program without a database, for help and wrong usage. */
  const dry = (...words: string[]) => forecourt(nothing, words);

  /** Splits a typed line into words, as a shell does. Makes long work short, and uses the files of the test. */
  const typed = (line: string) => {
    const words = [...line.replace(/ [<>] \S+/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    );
    const tame = (word: string) =>
      /\.(zip|csv|json)$/.test(word) ? join(folder, word) : word.replace(/^\d{4,9}$/, '10');
    // A command that goes on until it is stopped is stopped from the beginning.
    const signal = ['database', 'listen'].includes(words[0] ?? '') ? AbortSignal.abort() : undefined;
    return forecourt(env, words.map(tame), signal, 'a long password\n');
  };

  for (const command of leaves(program)) {
    const words = wordsOf(command);
    const name = words.join(' ');
    const examples = async () => {
      const { out } = await dry(...words, '--help');
      return [...(out.split(/^Examples?:$/m)[1] ?? '').matchAll(/^ +forecourt (.*)$/gm)].map(
        ([, line = '']) => line,
      );
    };

    it(`prints help for ${name}, with an example`, async () => {
      const { code, out, err } = await dry(...words, '--help');

      expect([code, err]).to.deep.equal([0, '']);
      expect(out).to.include(`Usage: forecourt ${name} `).and.include(command.description().split(' ', 1)[0]);
      expect(out).to.include('--json');
      expect((await examples())[0]).to.match(new RegExp(`^${name}\\b`));
      for (const option of command.options) expect(option.description, option.flags).to.match(/\w{2}/);
    });

    it(`reads the options of ${name} under the names that commander gives them`, () => {
      const declared = COMMANDS.find((one) => one.words.replace(/ <.*/, '') === name);
      const names = command.options.filter(({ long }) => long !== '--json');

      expect(Object.keys(declared?.options ?? {})).to.deep.equal(names.map((one) => one.attributeName()));
    });

    it(`refuses wrong usage of ${name} with 2`, async () => {
      const wrong = [
        [...words, '--no-such-option'],
        [...words, 'one', 'too', 'many'],
        ...(command.options.some(({ mandatory }) => mandatory) || command.registeredArguments.length > 0
          ? [words]
          : []),
      ];

      for (const line of wrong) {
        const { code, out, err } = await dry(...line);
        expect([code, out], err).to.deep.equal([2, '']);
        expect(err).to.match(/^forecourt: .*\n/);
      }
    });

    it(`prints one object for ${name} --json, and nothing else`, async () => {
      for (const line of await examples()) {
        const { code, out, err } = await typed(`${line} --json`);
        if (code === 0 || out !== '') expect(JSON.parse(out), err).to.be.an('object');
        expect(out.split('\n').length, out).to.be.at.most(2);
        expect(code, err).to.be.oneOf([0, 1]);
        if (code === 0) expect(err).to.equal('');
        else if (out === '') expect(err).to.match(/^(forecourt: .+\n)+$/);
      }
    }).timeout(60_000);
  }

  for (const words of [
    [],
    ...subcommands(program)
      .filter((one) => subcommands(one).length > 0)
      .map(wordsOf),
  ]) {
    it(`takes "${['forecourt', ...words].join(' ')}" alone for wrong usage, and lists the commands`, async () => {
      const { code, out, err } = await dry(...words);

      expect([code, out]).to.deep.equal([2, '']);
      expect(err)
        .to.include('Usage: forecourt')
        .and.match(/Examples?:\n {2}forecourt /);
    });
  }

  it('warns of a pattern that fits no endpoint', async () => {
    const line =
      "key create --party x --allow 'GET /ordr' --allow 'GET order' --allow '* /contact' --allow 'PUT *'";

    const json = JSON.parse((await typed(`${line} --json`)).out);
    const { code, out } = await typed(line);

    const warnings = ['"GET /ordr" fits no endpoint', '"GET order" fits no endpoint'];
    expect(json.warnings).to.deep.equal(warnings);
    expect(code).to.equal(0);
    for (const warning of warnings) expect(out).to.include(`Warning: ${warning}\n`);
    expect(out).not.to.include('contact');
  });

  it('stores names without the blanks around them', async () => {
    const { owner_id } = JSON.parse((await typed("owner create --name ' Garage ' --json")).out);
    const created = await typed(
      `employee create --owner ${owner_id} --username ' trimmed ' --password-stdin ` +
        "--email ' t@garage.example ' --role ADMIN --first-name ' T ' --last-name ' R ' --json",
    );
    await typed("key create --party ' planner ' --json");

    const { keys } = JSON.parse((await typed('key list --json')).out);
    const database = connectDatabase(server.connection, NO_FILES);
    const found = await select(
      database,
      'SELECT o.name, e.username, e.emailaddress, e.first_name, e.last_name FROM employees e ' +
        'JOIN owners o ON o.id = e.owner_id WHERE e.id = ?',
      [JSON.parse(created.out).id],
    );
    await database.close();

    expect(keys.at(-1).party).to.equal('planner');
    const names = { name: 'Garage', username: 'trimmed', first_name: 'T', last_name: 'R' };
    expect(found).to.deep.equal([{ ...names, emailaddress: 't@garage.example' }]);
    expect((await typed("employee password ' trimmed ' --json")).code).to.equal(0);
  });

  const REFUSED: [line: string, says: string][] = [
    ['key revoke 99', 'There is no active key 99'],
    ['employee password nobody', 'Field: [username] value: [nobody] not found'],
    ['employee username 2147483647 anna', 'Field: [id] value: [2147483647] not found'],
    ['seed --owner 99 --orders 1', 'There is no owner 99'],
    ['key revoke 2147483647', 'There is no active key 2147483647'],
    [
      'employee create --owner 99 --username a --password-stdin --email a@b.nl --role USER',
      'There is no owner 99',
    ],
    [
      "key create --party x --allow 'FETCH /order'",
      '"FETCH /order" is no pattern such as "GET /order", "* /contact" or "*"',
    ],
    [
      "key create --party x --allow 'POST /order/credit'",
      '"POST /order/credit" allows nothing without "POST /order"',
    ],
    ["key create --party ' '", 'Field: [party] is required and not supplied in request'],
    ["owner create --name ' '", 'Field: [name] is required and not supplied in request'],
    [
      `owner create --name ${'x'.repeat(101)}`,
      'Field: [name] valuelength: [101] too long for datatype: varchar: [100]',
    ],
    ['verify missing.zip', "ENOENT: no such file or directory, open '%missing.zip'"],
    ['import-addresses missing.csv', "ENOENT: no such file or directory, open '%missing.csv'"],
    [
      'import-addresses wrong.csv',
      '%wrong.csv must begin with the line postcode,huisnummer,toevoeging,street,city',
    ],
    [
      'import-addresses empty.csv',
      '%empty.csv must begin with the line postcode,huisnummer,toevoeging,street,city',
    ],
    ['import-addresses latin.csv', 'line 2 is not UTF-8'],
    ['import-addresses long.csv', `line 3 is not an address: 1234AB,2,,${'x'.repeat(70)}`],
  ];
  const HEADER = 'postcode,huisnummer,toevoeging,street,city\n1234AB,1,,';
  for (const [line, says] of REFUSED) {
    it(`refuses ${line} with 1, in one line`, async () => {
      await writeFile(join(folder, 'wrong.csv'), 'a,b\n');
      await writeFile(join(folder, 'empty.csv'), '');
      await writeFile(join(folder, 'latin.csv'), Buffer.from(`${HEADER}Vrijhéid,Urk\n`, 'latin1'));
      await writeFile(join(folder, 'long.csv'), `${HEADER}Kade,Urk\n1234AB,2,,${'x'.repeat(101)},Urk\n`);

      expect(await typed(`${line} --json`)).to.deep.equal({
        code: 1,
        out: '',
        err: `forecourt: ${says.replace('%', `${folder}/`)}\n`,
      });
    });
  }

  const WRONG: [line: string, says: string][] = [
    ['key revoke x', 'id must be a whole number above 0, not "x"'],
    ['key revoke 2147483648', 'id must be at most 2147483647, not "2147483648"'],
    ['employee username x anna', 'id must be a whole number above 0, not "x"'],
    ['seed --owner 1 --orders many', '--orders must be a whole number above 0, not "many"'],
    [
      'employee create --owner 1 --username a --password-stdin --email a@b.nl --role BOSS',
      '--role must be ADMIN, USER or READONLY, not "BOSS"',
    ],
    [
      'employee create --owner 1 --username a --email a@b.nl --role USER',
      'Give --password-stdin or --password, one of them',
    ],
    [
      'employee password a --password-stdin --password x',
      "option '--password-stdin' cannot be used with option '--password <password>'",
    ],
    ['owner create', "required option '--name <name>' not specified"],
  ];
  for (const [line, says] of WRONG) {
    it(`takes ${line} for wrong usage`, async () => {
      const { code, out, err } = await typed(line);

      expect({ code, out }).to.deep.equal({ code: 2, out: '' });
      expect(err.split('\n')[0]).to.equal(`forecourt: ${says}`);
    });
  }
});
