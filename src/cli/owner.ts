// The command `forecourt owner create`.
import { command, flag, required } from './command.ts';

export const ownerCreate = command({
  words: 'owner create',
  summary: 'Create a garage',
  options: {
    name: required('--name <name>', 'the name of the garage'),
    demo: flag('--demo', 'fill in an address and all other fields that invoices and the journal need'),
  },
  example: 'owner create --name "Garage Jansen"',
  run: async ({ database }, { name, demo }) => {
    const { createOwner } = await import('./new-garage.ts');
    const owner_id = await createOwner(database, { name, demo });
    return { json: { owner_id }, text: `Owner ${owner_id} was made.` };
  },
});
