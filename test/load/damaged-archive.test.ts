import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type ArchiveDamage, readAnswers } from '../../src/load/read-archive.ts';
import { RawArchive } from '../../src/load/raw-archive.ts';
import { answerOf } from '../support/answers.ts';
import { makeFolder } from '../support/folder.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

const folder = makeFolder();

const point = (value: number): unknown => [{ date: '2026-03-02', value }];

/** Three gzip members of an answer each, the second of two pages. */
async function writeThree(): Promise<Buffer> {
  const archive = new RawArchive(join(folder, `raw-${Math.random()}`), FIRST_RUN);
  archive.add(answerOf('visibility', point(1)));
  await archive.flush();
  archive.add(answerOf('prompts', null, { bodies: [{ page: 1 }, { page: 2 }] }));
  await archive.flush();
  archive.add(answerOf('sentiment', point(3)));
  await archive.flush();
  return readFileSync(archive.path);
}

async function read(bytes: Buffer): Promise<{ endpoints: string[]; damages: Omit<ArchiveDamage, 'path'>[] }> {
  const path = join(folder, 'damaged.ndjson.gz');
  writeFileSync(path, bytes);
  const endpoints: string[] = [];
  const damages: Omit<ArchiveDamage, 'path'>[] = [];
  const onDamage = ({ line, what, isTail }: ArchiveDamage): void => void damages.push({ line, what, isTail });
  for await (const { answer } of readAnswers(path, onDamage)) endpoints.push(answer.slice.endpoint);
  return { endpoints, damages };
}

const packed = (...lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);

test('an archive file keeps an answer whole whose texts hold U+2028, U+2029 and carriage returns', async () => {
  const archive = new RawArchive(join(folder, 'raw-separators'), FIRST_RUN);
  const body = [{ date: '2026-03-02', value: 1, note: 'a\u2028b\u2029c\r\nd' }];
  archive.add(answerOf('visibility', body));
  await archive.flush();
  expect(await read(readFileSync(archive.path))).toEqual({ endpoints: ['visibility'], damages: [] });
});

test('a cut archive file gives the answers before the cut, and only a cut between members goes unseen', async () => {
  const bytes = await writeThree();
  const ends = [0, 1, 2].map((member) => memberEnd(bytes, member));
  for (let length = 0; length < bytes.length; length += 7) {
    const { endpoints, damages } = await read(bytes.subarray(0, length));
    const whole = ends.filter((end) => end <= length).length;
    expect(endpoints.length, String(length)).toBeGreaterThanOrEqual(whole);
    expect(damages.filter(({ what }) => /^the (file|line)/.test(what)).length).toBeLessThan(2);
    expect(damages.length > 0 && damages.every(({ isTail }) => isTail), String(length)).toBe(
      length === 0 || !ends.includes(length),
    );
  }
  expect(await read(bytes)).toEqual({ endpoints: ['visibility', 'prompts', 'sentiment'], damages: [] });
});

test('an archive file with a changed byte names the place, which is no torn end', async () => {
  const bytes = await writeThree();
  for (const place of [memberEnd(bytes, 0), memberEnd(bytes, 1) - 6]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(place) ^ 0x20, place);
    const { endpoints, damages } = await read(changed);
    expect(endpoints).not.toContain('sentiment');
    expect(damages.filter(({ isTail }) => !isTail)).toHaveLength(1);
  }
});

test('reading an archive file names each foreign line and each answer that lacks a page', async () => {
  const [header = '', first = '', second = '', third = '', fourth = ''] = gunzipSync(await writeThree())
    .toString()
    .split('\n');
  expect(await read(packed(header, first, '{"run":', second, third, '[]', fourth))).toMatchObject({
    endpoints: ['visibility', 'prompts', 'sentiment'],
    damages: [
      { line: 3, isTail: false },
      { line: 6, isTail: false },
    ],
  });
  expect(await read(packed(header, second, first, third, fourth))).toMatchObject({
    endpoints: ['visibility', 'sentiment'],
    damages: [
      { line: 3, what: '1 of 2 pages of an answer', isTail: false },
      { line: 4, what: 'a page without the pages before it', isTail: false },
    ],
  });
  const cut = gzipSync(`${header}\n${first}\n${second}\n${third.slice(0, 9)}`);
  expect((await read(cut)).damages.map(({ what }) => what)).toEqual([
    'the line is cut off',
    '1 of 2 pages of an answer',
  ]);
  // A file of an older program begins with an answer.
  expect(await read(packed(first, second))).toMatchObject({
    endpoints: ['visibility'],
    damages: [{ line: 2, what: '1 of 2 pages of an answer', isTail: true }],
  });
});

/** Where the gzip member with this number ends: the next one begins with the same three bytes. */
function memberEnd(bytes: Buffer, number: number): number {
  let end = 0;
  for (let member = 0; member <= number; member += 1) {
    const next = bytes.indexOf(bytes.subarray(0, 3), end + 3);
    end = next === -1 ? bytes.length : next;
  }
  return end;
}
