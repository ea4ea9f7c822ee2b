// Writes the rows of one batch, in their order and in one transaction. A refused row leaves nothing behind, and the others
// do not notice. Rows are checked and written by the code of POST and PUT.
import { Problem, type Violation, violation } from '../errors.ts';
import { type Body, checkFields, checkRules, readFields } from '../model/check.ts';
import { addWithChildren, childrenIn } from '../model/children.ts';
import { uniqueValues } from '../model/constraint-errors.ts';
import type { Row } from '../model/field.ts';
import type { Change } from '../model/record.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { changeRecord } from '../model/store.ts';
import type { SeenKeys } from './dry-run.ts';
import type { FileRow } from './file-row.ts';
import type { ImportOptions } from './import-options.ts';
import { KEY, keyOf, Matches } from './matches.ts';
import type { Outcome, Status } from './outcome.ts';
import { findKeys, keysIn, type Resolved, resolveKeys } from './reference.ts';
import { changesOf } from './same-record.ts';
import { isPlain, savepoint, WaitingRecords } from './waiting-records.ts';

export class BatchWriter {
  private readonly session: Session;
  private readonly options: ImportOptions;
  private readonly seen: SeenKeys | undefined;
  private readonly owner: number;
  private readonly waiting: WaitingRecords;
  private rows: readonly FileRow[] = [];
  private readonly resolved: Resolved[] = [];
  private readonly outcomes: Outcome[] = [];
  private readonly matches: Matches;
  private keys = new Map<string, Map<string, number>>();

  /** `seen`: what earlier batches of a dry run would have added. */
  constructor(session: Session, options: ImportOptions, seen?: SeenKeys) {
    this.session = session;
    this.options = options;
    this.seen = seen;
    this.owner = options.actor.owner;
    const { resource } = options;
    this.matches = new Matches(session, options);
    this.waiting = new WaitingRecords({ session, resource, owner: this.owner, seen });
  }

  /** What became of each row, in their order. Throws conflicts and unforeseen errors, for the whole batch. */
  async write(rows: readonly FileRow[]): Promise<readonly Outcome[]> {
    this.rows = rows;
    const bodies = rows.map(({ read }) => read());
    await this.prepare(bodies.filter((body) => body !== undefined));
    for (const [index, body] of bodies.entries()) {
      try {
        if (!body) throw new Problem([violation('body_not_json')]);
        await this.writeRow(index, body);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        this.refuse(index, error.violations);
      }
    }
    await this.flush();
    return this.outcomes;
  }

  /** Finds and locks the records that the rows match, and looks up the keys that they refer to. */
  private async prepare(bodies: readonly Body[]): Promise<void> {
    const { session, owner, seen } = this;
    const { resource } = this.options;
    const keys = bodies.flatMap((body) => [...keysIn(resource, body)]);
    this.keys = await findKeys(session, owner, keys);
    const toOwn = keys.filter((key) => key.resource === resource.name).map(({ key }) => key);
    const own = [...bodies.flatMap((body) => keyOf(body) ?? []), ...toOwn];
    await seen?.load(
      session,
      own.map((key) => [KEY, key]),
    );
    await this.matches.prepare(bodies);
  }

  private async writeRow(index: number, body: Body): Promise<void> {
    const { resource } = this.options;
    this.refuseForbidden(body);
    if (this.needsWaiting(body)) await this.flush();
    const isLater = (key: string) => this.seen?.has(KEY, key) ?? false;
    const resolved = resolveKeys(resource, body, this.keys, isLater);
    this.resolved[index] = resolved;
    if (resolved.wrong.length > 0) throw new Problem(resolved.wrong);
    if (this.isOfEarlierBatch(resolved.body)) {
      this.checkOnly(index, resolved.body);
      return;
    }
    const match = this.matches.find(resolved.body);
    if (match) await this.change(index, resolved.body, match);
    else await this.add(index, this.newBody(resolved.body));
  }

  /** Throws Problem where the key may not add the children of the row. */
  private refuseForbidden(body: Body): void {
    const { resource, forbiddenChildren } = this.options;
    const kinds = childrenIn(resource, body).filter(({ name }) => forbiddenChildren.includes(name));
    if (kinds.length > 0)
      throw new Problem(kinds.map(({ name }) => violation('key_forbids', { endpoint: `POST /${name}` })));
  }

  /** Whether the row matches a record that waits, or refers to it. */
  private needsWaiting(body: Body): boolean {
    const { resource } = this.options;
    if (this.waiting.has(KEY, body[KEY])) return true;
    for (const { resource: name, key } of keysIn(resource, body))
      if (name === resource.name && this.waiting.has(KEY, key)) return true;
    return false;
  }

  /** Whether the row is to change a record that an earlier batch of a dry run would have added. */
  private isOfEarlierBatch(body: Body): boolean {
    const key = keyOf(body);
    const mayMatch = this.options.mode !== 'insert' && body.id == null && key !== undefined;
    return mayMatch && !this.matches.has(key) && this.seen?.has(KEY, key) === true;
  }

  /** Judges the fields of a row whose record is not there to be changed. Throws Problem. */
  private checkOnly(index: number, body: Body): void {
    const { found } = readFields(this.options.resource, this.newBody(body), undefined);
    if (found.length > 0) throw new Problem(found);
    this.end(index, 'updated', null);
  }

  /** The row as POST takes it. An empty cell is no field, and an upsert without an ID has none. */
  private newBody(body: Body): Body {
    const { mode, format } = this.options;
    const isLeftOut = (name: string) => format === 'csv' || (name === 'id' && mode !== 'insert');
    return Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null || !isLeftOut(name)),
    );
  }

  private async add(index: number, body: Body): Promise<void> {
    const { resource } = this.options;
    if (isPlain(resource) && childrenIn(resource, body).length === 0) {
      const one = { index, body, change: await this.checked(body) };
      if (this.waiting.collides(one)) await this.flush();
      this.waiting.add(one);
      return;
    }
    await this.flush();
    const { session, owner, seen } = this;
    const record = await savepoint(session, async () => {
      const added = await addWithChildren(session, resource, owner, body);
      // A number that the service gives is none of the row's values.
      const twice = (await seen?.refusals(session, resource, added, body))?.filter(
        ({ field = '' }) => field in body,
      );
      if (twice && twice.length > 0) throw new Problem(twice);
      return added;
    });
    this.created(index, record);
  }

  /** The stages of a POST that need no look-up. Throws Problem. */
  private async checked(body: Body): Promise<Change> {
    const { resource } = this.options;
    const { session, owner } = this;
    const next = checkFields(resource, body, undefined);
    const change: Change = { next, given: (field) => body[field], owner, session };
    await checkRules(resource, change);
    return change;
  }

  private async flush(): Promise<void> {
    for (const ended of await this.waiting.flush()) {
      const { index } = ended.one;
      if ('record' in ended) this.created(index, ended.record);
      else this.refuse(index, ended.refused);
    }
  }

  private async change(index: number, body: Body, match: Row): Promise<void> {
    const { resource } = this.options;
    const { session, owner } = this;
    const id = Number(match.id);
    const isAddress = (name: string) => name === 'id' || (name === KEY && body.id == null);
    const row = Object.fromEntries(Object.entries(body).filter(([name]) => !isAddress(name)));
    const changes = await changesOf(session, owner, resource, row, match);
    if (!changes) {
      this.end(index, 'unchanged', id);
      return;
    }
    await this.flush();
    const changed = await savepoint(session, () =>
      changeRecord(session, resourceNamed(resource.name), owner, id, changes),
    );
    this.matches.remember(changed);
    this.end(index, changed.version === match.version ? 'unchanged' : 'updated', id);
  }

  private created(index: number, record: Row): void {
    const { resource, isDryRun } = this.options;
    const key = record[KEY] ?? null;
    this.matches.remember(record);
    if (key !== null) {
      const known = this.keys.get(resource.name) ?? new Map<string, number>();
      this.keys.set(resource.name, known.set(String(key), Number(record.id)));
    }
    for (const [name, value] of uniqueValues(resource, record)) this.seen?.add(name, value);
    this.end(index, 'created', isDryRun ? null : Number(record.id));
  }

  private end(index: number, status: Status, id: number | null, errors: readonly Violation[] = []): void {
    this.outcomes[index] = { line: this.rows[index]?.line ?? 0, status, id, errors };
  }

  private refuse(index: number, violations: readonly Violation[]): void {
    const found = this.resolved[index]?.named(violations) ?? violations;
    // A dry run can't judge a reference to a row that it has not added.
    if (found.length === 0) this.end(index, 'created', null);
    else this.end(index, 'refused', null, found);
  }
}
