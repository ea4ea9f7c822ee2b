// The reasons to query owned rows without a garage. A query of owned rows takes a garage, or names one of these.
export const PAST_GARAGE = {
  operator: 'The commands of the operator look at all garages.',
  login: 'A login names a user, and the user names the garage.',
  turns: 'The engines of jobs, calls and events work for all garages in turn.',
  tidying: 'The service removes what is over in all garages.',
  upgrade: 'What the release before has written is completed in all garages.',
  installation: 'A copied installation is recognised before any garage is.',
  doctor: 'The doctor looks for faults in all garages.',
  files: 'Garages share a stored file that has the same bytes.',
  restore: 'A username is unique over all garages.',
  insert: 'A new row names its owner.',
  link: 'A signed address names a file, and the file names the garage.',
  part: 'Another query holds this one. That query is bound to a garage, or names a reason of its own.',
  engine: 'The engine binds the owner itself: where a resource has no owner, or by a mark.',
} as const;

export type PastGarage = keyof typeof PAST_GARAGE;
