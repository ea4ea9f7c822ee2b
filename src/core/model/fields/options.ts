// What the author of a resource may say about a field beside its kind. Validation, lists, OpenAPI, import, backup and
// anonymising follow from these words.
import type { Code } from '../../errors.ts';
import type { Folding } from '../../trade/text/fold.ts';
import type { Row, Stored } from './field.ts';

/** A custom check that also brings the value into its stored form; undefined is "invalid". */
export interface Validation {
  /** As messages name it: `… for validation: [<name>]`. */
  readonly name: string;
  /** The other field that decides the outcome, if any. */
  readonly dependsOn?: string;
  readonly normalise: (value: string, next: Row) => string | undefined;
  /**
   * The stored values that a text may mean when somebody looks for a record. Undefined: the text itself. A PUT may also
   * repeat the stored one of them, even if a later rule would refuse it.
   */
  readonly formsOf?: (text: string) => readonly string[];
  /** Further stored forms that a text may mean in a search, where another field decides the form. */
  readonly otherForms?: (text: string) => readonly string[];
}

/** `value` in place of the numbers `insteadOf`, in rows whose column `where` is not empty. */
export interface Shown {
  readonly value: number;
  readonly insteadOf: readonly number[];
  readonly where: string;
}

export interface Options {
  readonly required?: boolean;
  readonly readonly?: boolean;
  /** `owner`: unique among the owner's records; `all`: among everybody's; else the field that it is unique within. */
  readonly unique?: string;
  /**
   * The column that is compared, and the function that makes its value, if the field's own column is not compared.
   * null: this record may have a value of others.
   */
  readonly uniqueColumn?: {
    readonly name: string;
    readonly of: (value: string, record: Row) => string | null;
    /** Values with the same value of this column are the same for somebody who looks for a record. */
    readonly isWhole?: true;
  };
  /** Readonly: counts up per owner from 1, by a counter of the resource's name. */
  readonly counted?: boolean;
  /** Readonly, but an import of old records (`history=1`) may give it. */
  readonly history?: boolean;
  /** Lists are filtered or sorted by the field so often that it gets an index: see index-plan.ts. */
  readonly indexed?: boolean;
  /** Given with POST only. The code is for the refusal of a PUT with another value. */
  readonly fixed?: boolean | Code;
  /** Whether the record has the value already, if the field's own column does not tell that by an equal value. */
  readonly same?: (stored: Stored, previous: Row) => boolean;
  /** A list shows, filters and sorts by another number than the column has. */
  readonly shownAs?: Shown;
  /** Accepted and never shown. No column has its name. */
  readonly writeOnly?: boolean;
  /** Write-only: it says something about the request alone, and is neither kept nor logged. */
  readonly ofRequest?: boolean;
  /** Readonly and write-only: the service makes the value, and only the answer to the POST shows it. */
  readonly shownOnce?: boolean;
  /** An invoice prints it: the invoice keeps the value of its day. */
  readonly printed?: boolean;
  /**
   * Data about a person: anonymising the person empties the field. Each free text of a resource that is about a person
   * is judged: true or false.
   */
  readonly personal?: boolean;
  /** Takes the place of a removed personal value. Undefined: null does. */
  readonly anonymous?: string | ((value: string) => string);
  /** Case does not count when somebody looks for a value: of e-mail addresses. */
  readonly ignoresCase?: true;
  /** The column has ASCII only, and the database compares such a column with no other text. */
  readonly isAscii?: true;
  /** How the field is read when somebody looks for a text in it, if its name does not say so: see folding.ts. */
  readonly folding?: Folding;
  /** For the books of the dealer: the person whom a record is about does not get it. */
  readonly internal?: boolean;
  /**
   * The object (or each object of the array) is an earlier copy of a record of this resource, with its ID and
   * references.
   */
  readonly copyOf?: string;
  readonly description?: string;
  /** For the test page. */
  readonly example?: unknown;
}
