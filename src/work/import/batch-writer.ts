// Writes the rows of one batch, in their order and in one transaction. A refused row leaves nothing behind, and the
// others do not notice. Rows are checked and written by the code of POST and PUT. The transaction locks what requests
// of the garage wait for, such as the counters of numbers, so a batch ends after some records or some time.
import { aboutNobody, isDuplicate, Problem, problem, type Violation, violation } from '../../core/errors.ts';
import { type Body, checkFields, checkRules, refuse } from '../../core/model/bodies/check.ts';
import type { Row } from '../../core/model/fields/field.ts';
import type { Change, Resource } from '../../core/model/records/record.ts';
import { resourceNamed } from '../../core/model/records/registry.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { isNew } from '../../core/model/writes/change-log.ts';
import { childrenIn, readFamilyFields } from '../../core/model/writes/children.ts';
import { addFamily, changeFamily } from '../../core/model/writes/family.ts';
import { changeRecord, demandRecord } from '../../core/model/writes/store.ts';
import type { SeenValues } from './dry-run.ts';
import type { FileRow } from './file-row.ts';
import { firstBodies } from './first-bodies.ts';
import type { ImportOptions } from './import-options.ts';
import { externalIdOf, Matches } from './matches.ts';
import { type Outcome, outcomeOf, type Status } from './outcome.ts';
import { findIds, type KnownIds, namedIn, type Resolved, resolveReferences } from './reference.ts';
import { changesOf } from './same-record.ts';
import { isPlain, refusalsIn, savepoint, WaitingRecords } from './waiting-records.ts';

const LONGEST_MS = 1_000;
/** A statement must fit into the server's max_allowed_packet, 16 MiB at least, with its quotes. */
const LONGEST_REPORT = 4 * 1024 * 1024;

export class BatchWriter {
  private readonly begun = performance.now();
  private readonly session: Session;
  private readonly options: ImportOptions;
  private readonly resource: Resource;
  private readonly owner: number;
  private readonly seen: SeenValues | undefined;
  private readonly waiting: WaitingRecords;
  private readonly matches: Matches;
  private rows: readonly FileRow[] = [];
  private refused = 0;
  private reportLength = 0;
  private readonly resolved: Resolved[] = [];
  private readonly outcomes: Outcome[] = [];
  private knownIds: KnownIds = new Map();

  /** `seen`: the records that earlier batches of a dry run would have added. */
  constructor(session: Session, options: ImportOptions, seen?: SeenValues) {
    this.session = session;
    this.options = options;
    this.resource = options.resource;
    this.owner = options.actor.owner;
    this.seen = seen;
    this.waiting = new WaitingRecords(session, options, seen);
    this.matches = new Matches(session, options);
  }

  /**
   * Writes the first rows, at least one, and answers the outcome of each. Ends behind `mostRefused` refused rows.
   * Throws conflicts and unforeseen errors, for the whole batch.
   */
  async write(rows: readonly FileRow[], mostRefused = Number.POSITIVE_INFINITY): Promise<readonly Outcome[]> {
    this.rows = rows;
    const bodies = firstBodies(this.resource, rows);
    await this.prepare(bodies.filter((body) => body !== undefined));
    for (const [index, body] of bodies.entries()) {
      const refused = await refusalsIn(async () => {
        if (!body) throw new Problem([violation('body_not_json')]);
        await this.writeRow(index, body);
      });
      if (refused) this.refuse(index, refused);
      // Records that wait may yet be refused.
      if (this.refused + this.waiting.count >= mostRefused) await this.flush();
      if (this.refused >= mostRefused || this.isLong()) break;
    }
    await this.flush();
    return this.outcomes;
  }

  private isLong(): boolean {
    return performance.now() - this.begun >= LONGEST_MS || this.reportLength >= LONGEST_REPORT;
  }

  /** Finds and locks the records that the rows match, and looks up the records that they refer to. */
  private async prepare(bodies: readonly Body[]): Promise<void> {
    const { session, resource, owner, seen } = this;
    await resource.hooks.beforeBatch?.(garageOf(session, owner));
    const named = bodies.flatMap((body) => [...namedIn(resource, body)]);
    // First: a row may refer to a record that this waits for.
    await this.matches.prepare(bodies);
    this.knownIds = await findIds(garageOf(session, owner), named);
    const toOwn = named.filter((one) => one.resource === resource.name);
    await seen?.load(
      session,
      [
        ...bodies.flatMap((body) => externalIdOf(body) ?? []),
        ...toOwn.map(({ externalId }) => externalId),
      ].map((externalId) => ['external_id', externalId]),
    );
  }

  private async writeRow(index: number, body: Body): Promise<void> {
    // A CSV row without any value still names its columns.
    if (Object.keys(body).length === 0) throw problem('body_empty');
    this.refuseForbidden(body, 'POST');
    if (this.needsWaiting(body)) await this.flush();
    const isLater = (externalId: string) => this.seen?.has('external_id', externalId) ?? false;
    const resolved = resolveReferences(this.resource, body, this.knownIds, isLater);
    this.resolved[index] = resolved;
    refuse(resolved.wrong);
    if (this.isOfEarlierBatch(resolved.body)) {
      // The record is not there to be changed, so only the fields are judged.
      this.refuseForbidden(body, 'PUT');
      const kinds = childrenIn(this.resource, body);
      refuse(readFamilyFields(this.resource, this.newBody(resolved.body), { kinds, known: new Map() }).found);
      this.end(index, 'updated', null);
      return;
    }
    const match = this.matches.find(resolved.body);
    if (match) {
      this.refuseForbidden(body, 'PUT');
      await this.change(index, resolved.body, match);
      return;
    }
    const refused = await refusalsIn(() => this.add(index, this.newBody(resolved.body)));
    if (refused) await this.changeOrRefuse(index, refused);
  }

  /**
   * Changes the record that another request has added since the batch looked for it. If there is none, refuses the row
   * that could not be added.
   */
  private async changeOrRefuse(index: number, violations: readonly Violation[]): Promise<void> {
    const body = this.resolved[index]?.body;
    const match = body && (await this.matches.findLate(body));
    if (!match) {
      this.refuse(index, violations);
      return;
    }
    this.learnKey(match);
    const refused = await refusalsIn(async () => {
      this.refuseForbidden(body, 'PUT');
      await this.change(index, body, match);
    });
    if (refused) this.refuse(index, refused);
  }

  /** Throws Problem if the key may not add, or not change, the children of the row. */
  private refuseForbidden(body: Body, method: 'POST' | 'PUT'): void {
    const forbidden = this.options.forbiddenChildren[method];
    const kinds = childrenIn(this.resource, body).filter(({ name }) => forbidden.includes(name));
    refuse(kinds.map(({ name }) => violation('key_forbids', { endpoint: `${method} /${name}` })));
  }

  /** Whether the row matches a record that waits, or refers to it. */
  private needsWaiting(body: Body): boolean {
    const named = [...namedIn(this.resource, body)].filter(({ resource }) => resource === this.resource.name);
    const externalIds = [body.external_id, ...named.map(({ externalId }) => externalId)];
    return externalIds.some((externalId) => this.waiting.has(externalId));
  }

  /** Whether the row is to change a record that an earlier batch of a dry run would have added. */
  private isOfEarlierBatch(body: Body): boolean {
    const externalId = externalIdOf(body);
    if (this.options.mode === 'insert' || body.id != null || externalId === undefined) return false;
    return !this.matches.has(externalId) && this.seen?.has('external_id', externalId) === true;
  }

  /** The row as POST takes it. An empty cell is no field, nor is the missing ID of an upsert. */
  private newBody(body: Body): Body {
    const { mode, format } = this.options;
    const isLeftOut = (name: string) => format === 'csv' || (name === 'id' && mode !== 'insert');
    return Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null || !isLeftOut(name)),
    );
  }

  private async add(index: number, body: Body): Promise<void> {
    const { session, resource, owner, seen } = this;
    if (isPlain(resource) && childrenIn(resource, body).length === 0) {
      // The checks of a POST that need no look-up.
      const next = checkFields(resource, body, undefined);
      const change: Change = { next, given: (field) => body[field], garage: garageOf(session, owner) };
      await checkRules(resource, change);
      const one = { index, body, change };
      if (this.waiting.collides(one)) await this.flush();
      this.waiting.add(one);
      return;
    }
    await this.flush();
    const record = await savepoint(session, async () => {
      // New children need no keys, though an upsert by PUT demands them: files for version 1.0.0 must go on to work.
      const { row: added } = await addFamily(garageOf(session, owner), resource, body);
      const found = (await seen?.refusals(session, resource, added, body)) ?? [];
      // Ignore duplicates of numbers that the service assigned itself.
      refuse(found.filter(({ field = '' }) => field.replace(/\[.*/, '') in body));
      return added;
    });
    this.seen?.addChildren(resource, body);
    this.created(index, record);
  }

  private async flush(): Promise<void> {
    for (const { one, record, refused = [] } of await this.waiting.flush()) {
      if (record) this.created(one.index, record);
      else await this.changeOrRefuse(one.index, refused);
    }
  }

  private async change(index: number, body: Body, match: Row): Promise<void> {
    const { session, resource, owner } = this;
    const id = Number(match.id);
    const shown = this.isUndone(resource.name, id) ? null : id;
    const isAddress = (name: string) => name === 'id' || (name === 'external_id' && body.id == null);
    const row = Object.fromEntries(Object.entries(body).filter(([name]) => !isAddress(name)));
    const changes = await changesOf(garageOf(session, owner), resource, row, match);
    if (!changes) {
      this.end(index, 'unchanged', shown);
      return;
    }
    await this.flush();
    const plain = resourceNamed(resource.name);
    const garage = garageOf(session, owner);
    const hasChildren = childrenIn(plain, changes).length > 0;
    const changed = await savepoint(session, async () =>
      hasChildren
        ? changeFamily(garage, plain, await demandRecord(garage, plain, id), changes)
        : changeRecord(garage, plain, id, changes),
    );
    this.matches.remember(changed);
    this.learnKey(changed, match);
    this.seen?.addChildren(plain, changes);
    this.end(index, hasChildren || changed.version !== match.version ? 'updated' : 'unchanged', shown);
  }

  private created(index: number, record: Row): void {
    this.matches.remember(record);
    this.learnKey(record);
    this.seen?.addRecord(this.resource, record);
    this.end(index, 'created', this.options.isDryRun ? null : Number(record.id));
  }

  /** Later rows of the batch may refer to the record by its key, and not by the key that it had `before`. */
  private learnKey(record: Row, before?: Row): void {
    const { resource, knownIds } = this;
    const id = Number(record.id);
    const known = knownIds.get(resource.name) ?? new Map<unknown, number>();
    if (before && known.get(before.external_id) === id) known.delete(before.external_id);
    knownIds.set(resource.name, known.set(record.external_id, id));
  }

  private end(index: number, status: Status, id: number | null, errors: readonly Violation[] = []): void {
    const outcome = outcomeOf({ line: this.rows[index]?.line ?? 0, status, id, errors });
    if (status === 'refused') this.refused += 1;
    this.reportLength += outcome.report.length;
    this.outcomes[index] = outcome;
  }

  /** Whether a dry run adds the record, and undoes that. */
  private isUndone(resource: string, id: unknown): boolean {
    return this.options.isDryRun && isNew(this.session, resource, id);
  }

  /** Whether the report may name the record that has a value. */
  private mayName(one: Violation): boolean {
    if (!isDuplicate(one)) return true;
    const { resource = '', id } = one;
    return !this.isUndone(resource, id) && !this.options.unreadable.includes(resource);
  }

  private refuse(index: number, violations: readonly Violation[]): void {
    const named = this.resolved[index]?.named(violations) ?? violations;
    const found = named.map((one) => (this.mayName(one) ? one : aboutNobody(one)));
    // A dry run can't judge a reference to a row that it has not added.
    if (found.length === 0) this.end(index, 'created', null);
    else this.end(index, 'refused', null, found);
  }
}
