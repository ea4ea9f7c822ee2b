// The answer of a handler: status, JSON text and headers.
import { JsonBytes } from '../core/model/lists/json-bytes.ts';
import { JSON_PIECE, Pieces } from '../core/model/statements/piece.ts';

export interface Answer {
  readonly status: number;
  /** Chunks are sent as they come: the first of them decides whether the answer is a refusal. */
  readonly body: string | Buffer | AsyncGenerator<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `{"successCode", "data"}` with data that is a value. */
export const success = (data: unknown, status = 200, headers?: Record<string, string>): Answer =>
  successJson(JSON.stringify(data), status, headers);

/** `{"successCode", "data"}` with data that is JSON text already. */
export const successJson = (json: string, status = 200, headers?: Record<string, string>): Answer => ({
  status,
  body: `{"successCode":${status},"data":${json}}`,
  headers,
});

/** The same for records of which there may be any number. */
export const successList = (records: readonly object[]): Answer => ({
  status: 200,
  body: successChunks(listed(records)),
});

function* listed(records: readonly object[]): Generator<string> {
  yield '[';
  for (const [index, record] of records.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(record)}`;
  yield ']';
}

const FIRST_BYTES = 2 ** 12;
const CHUNK_BYTES = 2 ** 18;

/** `{"successCode", "data"}` with data that comes as pieces of JSON, in chunks. Others have their round in between. */
export async function* successChunks(json: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  const pieces = new Pieces(JSON_PIECE);
  let bytes = new JsonBytes(FIRST_BYTES);
  bytes.add('{"successCode":200,"data":');
  for await (const piece of json) {
    bytes.add(piece);
    const pause = pieces.add(piece.length);
    if (pause) await pause;
    if (bytes.length < CHUNK_BYTES) continue;
    yield bytes.take();
    bytes = new JsonBytes(CHUNK_BYTES);
  }
  bytes.add('}');
  yield bytes.take();
}

/** An answer without `successCode`, for endpoints whose shape the specification fixes. */
export const plain = (data: unknown, status = 200): Answer => ({ status, body: JSON.stringify(data) });
