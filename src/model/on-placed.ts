// What follows from a change with a place, in the transaction that gives the place. The service passes this function to
// everything that gives places.
import type { OnPlaced } from './change-sequence.ts';

/** Nothing follows yet. */
export const onPlaced: OnPlaced = async () => {};
