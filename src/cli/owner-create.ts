// forecourt owner create
import type { CliCommand } from './command.ts';
import { createOwner } from './owner.ts';

export const ownerCreate: CliCommand = {
  words: 'owner create',
  summary: 'Make a garage',
  required: [['--name <name>', 'its name']],
  options: [['--demo', 'with an address, numbers and all that an invoice needs']],
  example: 'owner create --name "Garage Jansen"',
  run: async ({ database }, { name, demo }) => {
    const owner_id = await createOwner(database, { name: String(name), demo: demo === true });
    return { json: { owner_id }, text: `Owner ${owner_id} was made.` };
  },
};
