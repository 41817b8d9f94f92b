/** Where workers put answers for the loader: names with slashes, and bodies that are written once. */
export interface Zone extends AsyncDisposable {
  /** As the configuration names it. */
  readonly place: string;
  /** Names that begin with `start`, sorted. @throws AnswerlakeError (storage) */
  list(start: string): Promise<string[]>;
  /** Null if no file has that name. @throws AnswerlakeError (storage) */
  read(name: string): Promise<Buffer | null>;
  /** The whole body appears under its name, or nothing. @throws AnswerlakeError (storage) */
  write(name: string, body: Buffer): Promise<void>;
  /** @throws AnswerlakeError (storage) */
  remove(name: string): Promise<void>;
}
