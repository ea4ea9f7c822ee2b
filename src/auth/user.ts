// Finds users: the employees of a garage, by the name that they log in with.

import type { Garage } from '../model/garage.ts';
import { Employee, type EmployeeRow } from '../resources/employee.ts';

type User = Pick<EmployeeRow, 'username' | 'emailaddress'>;

export const findUser = (garage: Garage, username: string): Promise<User | undefined> =>
  Employee.of(garage)
    .select('username', 'emailaddress')
    .findOne('username', username.toLowerCase())
    .execute();
