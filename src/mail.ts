// Sends mail through SMTP_URL. Without SMTP_URL, each message becomes an .eml file in storage/mail.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Storage, writeWhole } from './storage.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const AS_FILE = { streamTransport: true, buffer: true, newline: 'windows' } as const;

export type SendMail = (message: Message) => Promise<void>;

/** nodemailer is loaded with the first message, because most processes never send one. */
export function createMail({ smtpUrl, mailFrom }: Config, storage: Storage, log: Logger): SendMail {
  return async (message) => {
    const { createTransport } = (await import('nodemailer')).default;
    const mail = { from: mailFrom, ...message };
    if (smtpUrl !== '') {
      await createTransport(smtpUrl).sendMail(mail);
      return;
    }
    const { message: bytes } = await createTransport(AS_FILE).sendMail(mail);
    const file = join(storage.mail, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.eml`);
    await writeWhole(file, bytes as Buffer);
    log.info({ file }, 'SMTP_URL is not set: a message was written to a file');
  };
}
