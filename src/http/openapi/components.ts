// Keeps equal parts of the document once, under a name: hundreds of operations refuse with the same few answers.
import type { SchemaObject } from './schema.ts';

type Kind = 'parameters' | 'responses' | 'examples' | 'headers';

export class Components {
  private readonly named: Record<Kind, Map<string, object>> = {
    parameters: new Map(),
    responses: new Map(),
    examples: new Map(),
    headers: new Map(),
  };
  private readonly names = new Map<string, string>();

  /** Keeps a value under the first free name and returns a reference to it. Equal values share one name. */
  share(kind: Kind, value: object, ...names: readonly string[]): SchemaObject {
    const text = `${kind} ${JSON.stringify(value)}`;
    let name = this.names.get(text);
    if (name === undefined) {
      name = this.freeName(
        kind,
        names.map((word) => word.replace(/[^\w.-]+/g, '_')),
      );
      this.names.set(text, name);
      this.named[kind].set(name, value);
    }
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The `components` of the document. */
  all(): Record<string, object> {
    return Object.fromEntries(
      Object.entries(this.named).map(([kind, values]) => [kind, Object.fromEntries(values)]),
    );
  }

  private freeName(kind: Kind, names: readonly string[]): string {
    const taken = this.named[kind];
    const free = names.find((name) => !taken.has(name));
    if (free !== undefined) return free;
    const last = names.at(-1);
    let number = 2;
    while (taken.has(`${last}_${number}`)) number += 1;
    return `${last}_${number}`;
  }
}
