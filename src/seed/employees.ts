// Employees without a username: they stand on orders and cannot log in.
import { LISTS } from '../trade/lists.ts';
import { daysAfterStart } from './calendar.ts';
import { mobile } from './identifiers.ts';
import type { Draft } from './insert.ts';
import { FIRST_NAMES } from './names.ts';
import { emailOf, personName } from './people.ts';
import type { Random } from './random.ts';

const { MECHANIC, ADVISOR, SALES, PARTS, ADMINISTRATION, MANAGER } = LISTS.functionkinds;

/** So that each function is filled among the first eight. */
const FUNCTIONS = [MECHANIC, ADVISOR, MECHANIC, SALES, MANAGER, PARTS, ADMINISTRATION, MECHANIC];

export function employeeDrafts(random: Random, count: number): Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const name = personName(random, 'NL', FIRST_NAMES.NL);
    const function_kind = FUNCTIONS[index % FUNCTIONS.length] ?? MECHANIC;
    const started = random.whole(-2000, 400);
    const hasLeft = index >= FUNCTIONS.length && random.chance(0.15);
    return {
      ...name,
      emailaddress: emailOf(name, 'garage.example'),
      initials: `${name.first_name.charAt(0)}.`,
      mobile: mobile(random, 'NL'),
      role_kind: function_kind === MANAGER ? LISTS.rolekinds.ADMIN : LISTS.rolekinds.USER,
      function_kind,
      is_external: random.chance(0.1) ? 1 : 0,
      start_date: daysAfterStart(started),
      end_date: hasLeft ? daysAfterStart(started + random.whole(200, 900)) : null,
      hourly_rate: `${random.whole(58, 98)}.50`,
      notes: random.chance(0.2) ? 'Eerste hulp en BHV ✔, rijbewijs BE' : null,
    };
  });
}
