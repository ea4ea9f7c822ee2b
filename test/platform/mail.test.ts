// Mail through a server that falls silent.
import { createMail, MAIL_LIMITS } from '../../src/platform/mail.ts';
import { expect } from '../support/client/expect.ts';
import { openSilent, type Silent } from '../support/database/silent-server.ts';
import { theService } from '../support/service/service.ts';

const MESSAGE = { to: 'jan@garage.example', subject: 'A new password', text: 'https://garage.example/' };
const GREETING = '220 mail.example\r\n';

describe('mail through a server that falls silent', function () {
  // Less than the shortest limit that the library has by itself.
  this.timeout(20_000);
  let server: Silent | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** Why a message could not be sent. `greeting`: the first line of the server. */
  const failure = async (greeting: string, { limits = MAIL_LIMITS, parameters = '' } = {}) => {
    const { config, storage, log } = theService().base;
    server = await openSilent(greeting);
    const smtpUrl = `smtp://${new URL(server.url).host}/${parameters}`;
    const send = createMail({ ...config, smtpUrl }, storage, { log, isHeld: async () => false, limits });
    return send(MESSAGE).then(
      () => 'sent',
      ({ message }: Error) => message,
    );
  };

  it('fails before the first line of the server', async () => {
    const limits = { ...MAIL_LIMITS, greetingTimeout: 100 };

    expect(await failure('', { limits })).to.equal('Greeting never received');
  });

  it('fails after the first line of the server', async () => {
    const limits = { ...MAIL_LIMITS, socketTimeout: 100 };

    expect(await failure(GREETING, { limits })).to.equal('Timeout');
  });

  it('has the limits that SMTP_URL names', async () => {
    expect(await failure(GREETING, { parameters: '?socketTimeout=100' })).to.equal('Timeout');
  });
});
