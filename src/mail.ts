// Outgoing mail: through SMTP_URL, or, where that is not set, one .eml file a message under storage/mail.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Storage, writeWhole } from './storage.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (message: Message) => Promise<void>;

export function createMail({ smtpUrl, mailFrom }: Config, storage: Storage, log: Logger): SendMail {
  if (smtpUrl !== '') {
    const transport = nodemailer.createTransport(smtpUrl);
    return async (message) => void (await transport.sendMail({ from: mailFrom, ...message }));
  }
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (message) => {
    const { message: bytes } = await transport.sendMail({ from: mailFrom, ...message });
    const file = join(storage.mail, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.eml`);
    await writeWhole(file, bytes as Buffer);
    log.info({ file }, 'SMTP_URL is not set: a message was written to a file');
  };
}
