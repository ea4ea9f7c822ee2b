// The commands of a document, so that a test runs what a reader copies.
import { expect } from '../client/expect.ts';

/** The blocks of the document in that language. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

/** The part of the document under a heading such as `## Log in`. */
export const section = (text: string, title: string): string =>
  text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

/** The commands, with real values for the reader's own. */
export const withValues = (script: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => {
    const place = new RegExp(`^${name}=.*$`, 'm');
    expect(text).to.match(place);
    return text.replace(place, `${name}='${value}'`);
  }, script);
