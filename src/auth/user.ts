// Finds users: the employees of a garage, by the name that they log in with.
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Employee } from '../resources/employee.ts';

type User = Pick<RowIn<typeof Employee>, 'username' | 'emailaddress'>;

export const findUser = (session: Session, owner: number, username: string): Promise<User | undefined> =>
  Employee.of(session, owner)
    .select('username', 'emailaddress')
    .findOne('username', username.toLowerCase())
    .execute();
