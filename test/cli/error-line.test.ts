// What a failed command prints about an error.
import { userInfo } from 'node:os';
import { errorLine } from '../../src/cli/error-line.ts';
import { StorageAway } from '../../src/platform/storage/store.ts';
import { expect } from '../support/client/expect.ts';

describe('the line about an error', () => {
  it('names the user who has no right to a file', () => {
    const path = '/root/orders.csv';
    const message = `EACCES: permission denied, open '${path}'`;

    const line = errorLine(Object.assign(new Error(message), { code: 'EACCES', path }));

    expect(line).to.equal(`The user ${userInfo().username} has no right to this file or folder: ${message}`);
  });

  it('says why the object store is away', () => {
    const line = errorLine(new StorageAway(new Error('Access Denied')));

    expect(line).to.equal('The connection to the object store was lost: Access Denied');
  });

  it('does not take a port for a file', () => {
    const message = 'listen EACCES: permission denied 127.0.0.1:80';

    const line = errorLine(Object.assign(new Error(message), { code: 'EACCES', port: 80 }));

    expect(line).to.equal(message);
  });
});
