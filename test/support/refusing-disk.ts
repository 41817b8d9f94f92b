import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

type Call = 'chmodSync' | 'accessSync' | 'fsyncSync' | 'renameSync';

/** Until the test is over, a call of the file system fails with `code` for paths that hold `part`, as on a mount that lacks it. */
export function refuse(call: Call, code: string, part = ''): void {
  const real: (...values: never[]) => unknown = fs[call];
  const refusing = (path: unknown, ...rest: unknown[]): unknown => {
    if (typeof path === 'string' && !path.includes(part)) return Reflect.apply(real, fs, [path, ...rest]);
    throw Object.assign(new Error(`${code}: refused, ${call} '${String(path)}'`), { code, syscall: call });
  };
  Reflect.set(fs, call, refusing);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Reflect.set(fs, call, real);
    syncBuiltinESMExports();
  });
}
