// The command `forecourt owner create`.
import type { CliCommand } from './command.ts';
import { createOwner } from './owner.ts';

export const ownerCreate: CliCommand = {
  words: 'owner create',
  summary: 'Create a garage',
  required: [['--name <name>', 'the name of the garage']],
  options: [['--demo', 'fill in an address and all other fields that invoices and the journal need']],
  example: 'owner create --name "Garage Jansen"',
  run: async ({ database }, { name, demo }) => {
    const owner_id = await createOwner(database, { name: String(name), demo: demo === true });
    return { json: { owner_id }, text: `Owner ${owner_id} was made.` };
  },
};
