/** Where the request layer tells its facts: an event's name and its fields, never a credential. */
export type RequestLog = (event: string, fields: Readonly<Record<string, unknown>>) => void;

export const silentLog: RequestLog = () => {};
