// The validator of a resource's Objection model. `Order.fromJson(body, { old: {} })` runs the same checks, in the same
// stages, as POST; with a record as `old`, those of PUT. Without `old` the values are in stored form already, as the
// service's own queries write them, and nothing is checked.
import { Validator, type ValidatorArgs } from 'objection';
import { checkFields } from './check.ts';
import type { Row } from './field.ts';
import type { Resource } from './record.ts';

export class StagedValidator extends Validator {
  private readonly resource: Resource;

  constructor(resource: Resource) {
    super();
    this.resource = resource;
  }

  /** Throws Problem. */
  override validate({ json, options }: ValidatorArgs): Row {
    if (options.old === undefined) return json as Row;
    const isNew = Object.keys(options.old).length === 0;
    return checkFields(this.resource, json, isNew ? undefined : (options.old as Row));
  }
}
