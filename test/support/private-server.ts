// A private database server of the kind that the tests run on.
import { readConfig } from '../../src/config.ts';
import { joinPrivateServer, type PrivateServer } from '../../src/database/private-server.ts';

export const joinServer = (directory: string, settings: readonly string[] = []): Promise<PrivateServer> =>
  joinPrivateServer({ directory, settings, kind: readConfig().databaseServer });
