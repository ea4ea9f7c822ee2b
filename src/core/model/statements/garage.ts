// A garage is a session that belongs to one owner. Code that has a garage reaches the rows of that owner and no others,
// and can't forget the owner: queries of owned rows take a garage.
import type { Files, NotedChanges, Session } from './session.ts';

export class Garage implements Session {
  readonly owner: number;
  readonly execute: Session['execute'];
  readonly postpone: Session['postpone'];
  private readonly session: Session;

  constructor(session: Session, owner: number) {
    this.session = session;
    this.owner = owner;
    this.execute = session.execute;
    this.postpone = session.postpone;
  }

  get files(): Files {
    return this.session.files;
  }

  get knex(): Session['knex'] {
    return this.session.knex;
  }

  get changes(): NotedChanges | undefined {
    return this.session.changes;
  }

  get savepoint(): Session['savepoint'] {
    return this.session.savepoint;
  }
}

/** The garage of the owner in this session. */
export const garageOf = (session: Session, owner: number): Garage => new Garage(session, owner);
