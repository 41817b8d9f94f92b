import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs `work` while another process holds a DuckDB file open. */
export async function whileHeld(
  path: string,
  options: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  const script = `
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(${JSON.stringify(path)}, ${JSON.stringify(options)});
    const connection = await instance.connect();
    console.log('holding');
    process.stdin.on('end', () => { connection.closeSync(); instance.closeSync(); process.exit(0); });
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  try {
    await work();
  } finally {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  }
}

/** Runs SQL on a file in another process that is killed before it can checkpoint: its write-ahead log stays. */
export async function writeAndDie(path: string, sql: string): Promise<void> {
  const script = `
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(${JSON.stringify(path)})).connect();
    await connection.run(${JSON.stringify(sql)});
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  await once(child, 'exit');
}
