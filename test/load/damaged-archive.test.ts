import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readAnswers } from '../../src/load/read-archive.ts';
import { RawArchive } from '../../src/load/raw-archive.ts';
import { answerOf } from '../support/answers.ts';
import { makeFolder } from '../support/folder.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import { week } from './lists.ts';

const folder = makeFolder();

/** Three gzip members of an answer each, the second of two pages. */
async function writeThree(): Promise<Buffer> {
  const archive = new RawArchive(join(folder, `raw-${Math.random()}`), FIRST_RUN);
  const prompts = answerOf('prompts', null, { bodies: [{ page: 1 }, { page: 2 }] });
  for (const answer of [week([1]), prompts, week([3], {}, 'sentiment')]) {
    archive.add(answer);
    await archive.flush();
  }
  return readFileSync(archive.path);
}

/** The endpoints of the answers that can be read, and the line and the text of each damage; `*`: of the file's end. */
async function read(bytes: Buffer): Promise<{ endpoints: string[]; damages: string[] }> {
  const path = join(folder, 'damaged.ndjson.gz');
  writeFileSync(path, bytes);
  const endpoints: string[] = [];
  const damages: string[] = [];
  for await (const { answer, run } of readAnswers(path, ({ line, what, isTail }) => {
    damages.push(`${String(line)}${isTail ? '*' : ''} ${what}`);
  }))
    endpoints.push(run.isWitness ? answer.slice.endpoint : 'no witness');
  return { endpoints, damages };
}

const ALL = ['visibility', 'prompts', 'sentiment'];
const packed = (...lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);

test('an archive file keeps an answer whole whose texts hold U+2028, U+2029 and carriage returns', async () => {
  const archive = new RawArchive(join(folder, 'raw-separators'), FIRST_RUN);
  archive.add(answerOf('visibility', [{ date: '2026-03-02', value: 1, note: 'a\u2028b\u2029c\r\nd' }]));
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
    expect(damages.filter((damage) => /\* the (file|line)/.test(damage)).length).toBeLessThan(2);
    const isSeen = damages.length > 0 && damages.every((damage) => damage.includes('*'));
    expect(isSeen, String(length)).toBe(length === 0 || !ends.includes(length));
  }
  expect(await read(bytes)).toEqual({ endpoints: ALL, damages: [] });
});

test('an archive file with a changed byte names the place, which is no torn end', async () => {
  const bytes = await writeThree();
  for (const place of [memberEnd(bytes, 0), memberEnd(bytes, 1) - 6]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(place) ^ 0x20, place);
    const { endpoints, damages } = await read(changed);
    expect(endpoints).not.toContain('sentiment');
    expect(damages.filter((damage) => !damage.includes('*'))).toHaveLength(1);
  }
});

test('reading an archive file names each foreign line and each answer that lacks a page', async () => {
  const text = gunzipSync(await writeThree()).toString();
  const [header = '', first = '', second = '', third = '', fourth = ''] = text.split('\n');
  const foreign = await read(packed(header, first, '{"run":', second, third, '[]', fourth));
  expect(foreign).toEqual({
    endpoints: ALL,
    damages: [expect.stringMatching(/^3 /), expect.stringMatching(/^6 /)],
  });
  expect(await read(packed(header, second, first, third, fourth))).toEqual({
    endpoints: ['visibility', 'sentiment'],
    damages: ['3 1 of 2 pages of an answer', '4 a page without the pages before it'],
  });
  const cut = await read(gzipSync(`${header}\n${first}\n${second}\n${third.slice(0, 9)}`));
  expect(cut.damages.map((damage) => damage.replace(/^\S+ /, ''))).toEqual([
    'the line is cut off',
    '1 of 2 pages of an answer',
  ]);
  // A file of 0.1 begins with an answer.
  const old = { endpoints: [], damages: ['1 the first line does not name the warehouse and the run'] };
  expect(await read(packed(first, second))).toEqual(old);
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
