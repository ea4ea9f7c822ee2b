// On its way out: marks of SQL texts that are not built yet.
export { padded } from './prepared.ts';

export const marks = (count: number): string =>
  Array(2 ** Math.ceil(Math.log2(Math.max(1, count))))
    .fill('?')
    .join(',');
