// Sends mail through SMTP_URL. Without SMTP_URL, and while mail is held, each message becomes an .eml file in
// storage/mail. Held mail is never sent later, because its links end after an hour.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Storage } from './storage/open.ts';
import { writeWhole } from './storage/whole-file.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const AS_FILE = { streamTransport: true, buffer: true, newline: 'windows' } as const;

/**
 * Milliseconds to connect and be greeted, to be greeted, and without a sign of the server later. The library by itself
 * waits for up to ten minutes, and so would the work behind a message. Parameters of SMTP_URL go before these limits.
 */
export const MAIL_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export type SendMail = (message: Message) => Promise<void>;

interface MailOptions {
  readonly log: Logger;
  /** Whether no mail may leave this installation now. */
  readonly isHeld: () => Promise<boolean>;
  readonly limits?: typeof MAIL_LIMITS;
}

/** nodemailer is loaded with the first message, because most processes never send one. */
export function createMail(
  { smtpUrl, mailFrom }: Config,
  storage: Storage,
  { log, isHeld, limits = MAIL_LIMITS }: MailOptions,
): SendMail {
  return async (message) => {
    const { createTransport } = (await import('nodemailer')).default;
    const mail = { from: mailFrom, ...message };
    // A database that does not answer may be a copy.
    const held = smtpUrl !== '' && (await isHeld().catch(() => true));
    if (smtpUrl !== '' && !held) {
      await createTransport({ ...limits, url: smtpUrl }).sendMail(mail);
      return;
    }
    const { message: bytes } = await createTransport(AS_FILE).sendMail(mail);
    const file = join(storage.mail, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.eml`);
    await writeWhole(file, bytes as Buffer);
    const why = held ? 'mail is held' : 'SMTP_URL is not set';
    log.info({ file }, `${why}: a message was written to a file`);
  };
}
