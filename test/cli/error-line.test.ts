// What a failed command prints about an error.
import { userInfo } from 'node:os';
import { errorLine } from '../../src/cli/error-line.ts';
import { expect } from '../support/client/expect.ts';

describe('the line about an error', () => {
  it('names the user who has no right to a file', () => {
    const message = "EACCES: permission denied, open '/root/orders.csv'";

    const line = errorLine(Object.assign(new Error(message), { code: 'EACCES' }));

    expect(line).to.equal(`The user ${userInfo().username} has no right to this file or folder: ${message}`);
  });
});
