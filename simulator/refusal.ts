/** An answer of the simulated service, as sent, before compression. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Thrown by a route to answer with an error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(String(body['message']));
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The 400 of an endpoint that does not accept a parameter; the v1 form has `details`. */
export function badRequest(message: string, details: Record<string, unknown> = {}): Refusal {
  return new Refusal(400, { error: 'Bad Request', message, details });
}
