// The files of a database connection in a test that stores no file.
import type { Files } from '../../../src/core/model/statements/session.ts';

const refuse = () => Promise.reject(new Error('not used'));

export const NO_FILES: Files = { put: refuse, remove: refuse };
