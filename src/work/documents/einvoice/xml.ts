// Writes and checks XML by libxml2, which escapes texts itself. Each text passes `xmlText` here, whoever has written
// it.
import { ParseOption, XmlDocument, type XmlElement } from 'libxml2-wasm';
import { xmlText } from './text.ts';

/** The content of an element: a text, or child elements by name. `@name` is an attribute, `#` the text beside it. */
export type Content = string | Children | readonly Children[] | undefined;
export interface Children {
  readonly [name: string]: Content;
}

export interface Root {
  readonly name: string;
  /** The namespace of the root, and the namespaces of its descendants by prefix. */
  readonly namespace: string;
  readonly prefixes: Readonly<Record<string, string>>;
  readonly content: Children;
}

/** The text of a document with this root. Elements whose content is undefined are left out. */
export function writeXml({ name, namespace, prefixes, content }: Root): string {
  const document = XmlDocument.create();
  try {
    const root = document.createRoot(name, namespace);
    for (const [prefix, uri] of Object.entries(prefixes)) root.addNsDeclaration(uri, prefix);
    fill(root, content);
    return document.toString({ format: true });
  } finally {
    document.dispose();
  }
}

/** The text of one element without a namespace, for a document that is too large to be made as one tree. */
export function elementText(name: string, content: Children): string {
  const document = XmlDocument.create();
  try {
    fill(document.createRoot(name), content);
    return document.toString({ noDeclaration: true }).trimEnd();
  } finally {
    document.dispose();
  }
}

function fill(element: XmlElement, content: Children): void {
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) add(element, name, one);
    else add(element, name, value as string | Children);
  }
}

function add(parent: XmlElement, name: string, value: string | Children): void {
  if (typeof value !== 'string') fill(parent.addElement(...nameOf(name)), value);
  else if (name === '#') parent.addText(xmlText(value));
  else if (name.startsWith('@')) parent.setAttr(name.slice(1), xmlText(value));
  else parent.addElement(...nameOf(name)).addText(xmlText(value));
}

/** The name and the prefix of `cbc:ID`. */
function nameOf(name: string): [name: string, prefix?: string] {
  const [prefix = '', local] = name.split(':');
  return local === undefined ? [prefix] : [local, prefix];
}

/** The file of an XML text. Throws unless a parser can read the file. */
export function xmlFile(text: string): Buffer {
  const file = Buffer.from(text);
  // libxml2 refuses texts of more than 10 MB by default; a PDF may be one.
  XmlDocument.fromBuffer(file, {
    option: ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_NONET,
  }).dispose();
  return file;
}
