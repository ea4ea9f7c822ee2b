// All commands, in the order of the help.
import { anonymised } from './anonymised.ts';
import { backup } from './backup.ts';
import type { CliCommand } from './command.ts';
import { databaseCommand } from './database.ts';
import { doctor } from './doctor.ts';
import { employeeCreate, employeePassword, employeeUsername } from './employee.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { importAddresses } from './import-addresses.ts';
import { journalCommand } from './journal.ts';
import { keyCreate, keyList, keyRevoke } from './key.ts';
import { listen } from './listen.ts';
import { migrateCommand } from './migrate.ts';
import { openapi } from './openapi.ts';
import { ownerCreate } from './owner.ts';
import { purge } from './purge.ts';
import { release } from './release.ts';
import { restore } from './restore.ts';
import { rollingRestart } from './rolling-restart.ts';
import { seedCommand } from './seed.ts';
import { storageCopy } from './storage-copy.ts';
import { vatReturnCommand } from './vat-return.ts';
import { verify } from './verify.ts';

export const COMMANDS: readonly CliCommand[] = [
  ownerCreate,
  keyCreate,
  keyList,
  keyRevoke,
  employeeCreate,
  employeeUsername,
  employeePassword,
  seedCommand,
  backup,
  verify,
  restore,
  exportCommand,
  journalCommand,
  vatReturnCommand,
  anonymised,
  importCommand,
  importAddresses,
  listen,
  migrateCommand,
  databaseCommand,
  rollingRestart,
  storageCopy,
  purge,
  release,
  doctor,
  openapi,
];
