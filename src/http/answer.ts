// What a handler answers: JSON, ready to be sent.
export interface Answer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `{"successCode", "data"}`, the data given as a value. */
export const success = (data: unknown, status = 200, headers?: Record<string, string>): Answer =>
  successJson(JSON.stringify(data), status, headers);

/** `{"successCode", "data"}`, the data given as JSON text. */
export const successJson = (json: string, status = 200, headers?: Record<string, string>): Answer => ({
  status,
  body: `{"successCode":${status},"data":${json}}`,
  headers,
});

/** A shape of its own, fixed by the specification. */
export const plain = (data: unknown, status = 200): Answer => ({ status, body: JSON.stringify(data) });
