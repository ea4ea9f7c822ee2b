// The parts of the attack by the words that select them.
import { answers } from './answers.ts';
import { batches } from './batches.ts';
import { events } from './events.ts';
import { json } from './json.ts';
import { logo } from './logo.ts';
import type { Part } from './part.ts';
import { planning } from './planning.ts';
import { search } from './search.ts';
import { sockets } from './sockets.ts';
import { uploads } from './uploads.ts';

export const PARTS: Readonly<Record<string, Part>> = {
  sockets,
  json,
  logo,
  uploads,
  events,
  batches,
  planning,
  answers,
  search,
};
