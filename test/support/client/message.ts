// The texts of refusals that many tests expect.
export const invalid = (field: string, value: unknown, validation: string): string =>
  `Field: [${field}] has an invalid value: [${value}] for validation: [${validation}]`;
