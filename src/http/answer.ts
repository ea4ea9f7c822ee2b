// The answer of a handler: status, JSON text and headers.
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

/** An answer without `successCode`, for endpoints whose shape the specification fixes. */
export const plain = (data: unknown, status = 200): Answer => ({ status, body: JSON.stringify(data) });
