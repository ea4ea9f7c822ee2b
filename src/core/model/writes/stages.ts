// The stages of the checks that a record and the children of its body pass together: rules, references, uniqueness,
// late rules. The violations of all are collected, and the first stage that has any refuses the request.
import { aboutNobody, inside, isDuplicate, Problem, type Violation } from '../../errors.ts';
import { checkRules, refuse, violationsIn } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import type { Change, Resource } from '../records/record.ts';
import type { Child } from './children.ts';
import { unknownReferences } from './constraint-errors.ts';

/** A writer of one record. */
export type Write = (resource: Resource, change: Change) => Promise<void>;

/** For a record that is written later. Throws Problem: a reference is unknown. */
export const writtenLater: Write = async (resource, change) =>
  refuse(await unknownReferences(resource, change));

/** The violations of parent and children by stage. */
export class Found {
  readonly rules: Violation[] = [];
  readonly references: Violation[] = [];
  /** Mainly those of uniqueness. */
  readonly others: Violation[] = [];
  /** One list for each late rule. */
  readonly late: Violation[][] = [];
  /** The records of the request, as `resource id`. */
  private readonly own: Set<string>;

  constructor(own = new Set<string>()) {
    this.own = own;
  }

  /** Violations of the same request that `take` may add. */
  apart(): Found {
    return new Found(this.own);
  }

  addOwn({ name }: Resource, { id }: Row): void {
    this.own.add(`${name} ${id}`);
  }

  /** Two records of one request may have the same value. Then the refusal names none: it may be the new one. */
  located(one: Violation, child: Child | undefined): Violation {
    const named = child ? inChild(one, child) : one;
    return isDuplicate(named) && this.own.has(`${named.resource} ${named.id}`) ? aboutNobody(named) : named;
  }

  take({ rules, references, others }: Found): void {
    this.rules.push(...rules);
    this.references.push(...references);
    this.others.push(...others);
  }

  /** Throws Problem with the violations of the first stage that has any. */
  refuse(): void {
    for (const stage of [this.rules, this.references, this.others, ...this.late]) refuse(stage);
  }
}

interface Judged {
  readonly resource: Resource;
  readonly change: Change;
  /** Missing: the record is checked only. */
  readonly write?: Write;
  readonly child?: Child;
}

/** Runs the later stages on one record. Returns whether it was written. */
export async function judge(found: Found, { resource, change, write, child }: Judged): Promise<boolean> {
  const located = (one: Violation) => found.located(one, child);
  const broken = await violationsOf(() => checkRules(resource, change));
  found.rules.push(...broken.map(located));
  if (broken.length > 0) return false;
  const refused = write
    ? await violationsOf(() => write(resource, change))
    : await unknownReferences(resource, change);
  for (const one of refused)
    (one.code === 'reference_unknown' ? found.references : found.others).push(located(one));
  if (!write || refused.length > 0) return false;
  found.addOwn(resource, change.next);
  if (write !== writtenLater) await judgeLate(found.late, resource, change, located);
  return true;
}

/** Judges a child before the next one is written: if two children exclude each other, the later one is refused. */
async function judgeLate(
  late: Violation[][],
  { hooks }: Resource,
  change: Change,
  located: (one: Violation) => Violation,
): Promise<void> {
  for (const [stage, rule] of (hooks.lateRules ?? []).entries()) {
    const broken = violationsIn(await rule(change));
    late[stage] = [...(late[stage] ?? []), ...broken.map(located)];
    if (broken.length > 0) return;
  }
}

async function violationsOf(work: () => Promise<void>): Promise<readonly Violation[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.violations;
    throw error;
  }
}

/** A rule of the child may also name a field of the parent, such as the total. */
function inChild(one: Violation, { kind, path }: Child): Violation {
  return one.field === undefined || kind.other.fields.has(one.field) ? inside(one, path) : one;
}
