// Finds users: the employees of a garage, by the name that they log in with.

import type { Garage } from '../model/garage.ts';
import type { RowIn } from '../model/record.ts';
import { Employee } from '../resources/employee.ts';

type User = Pick<RowIn<typeof Employee>, 'username' | 'emailaddress'>;

export const findUser = (garage: Garage, username: string): Promise<User | undefined> =>
  Employee.of(garage)
    .select('username', 'emailaddress')
    .findOne('username', username.toLowerCase())
    .execute();
