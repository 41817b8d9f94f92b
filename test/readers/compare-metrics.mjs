// Compares what MetricFlow answered by project and month (CSV files of `mf query`) with the tool `metric` of the program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerMetric } from '../../dist/src/guide/metric.js';
import { openPublishedFile } from '../../dist/src/publish/published-file.js';

const [path, ...files] = process.argv.slice(2);
const file = await openPublishedFile(path);
let figures = 0;
for (const csv of files) {
  const [heading, ...lines] = readFileSync(csv, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  const [month, project, ...names] = heading;
  assert.match(month, /^metric_time__month$/);
  assert.match(project, /__project_name$/);
  for (const [index, name] of names.entries()) {
    const asked = { name, by: 'month', from: '2025-08-01', to: '2026-06-30' };
    const { result } = await answerMetric(file, asked);
    const at = (column) => result.columns.findIndex((one) => one.name === column);
    const expected = result.rows.map((row) => [
      row[at('month')].text,
      row[at('project_name')].text,
      Number(row[at('value')].text),
    ]);
    const found = new Map(
      lines.map((line) => [`${line[0].slice(0, 10)} ${line[1]}`, Number(line[index + 2])]),
    );
    assert.ok(expected.length > 10, name);
    for (const [start, of, value] of expected) {
      const given = found.get(`${start} ${of}`);
      assert.ok(
        // metric gives four decimals.
        Math.abs(given - value) < 0.000_051,
        `${name} of ${of}, ${start}: ${given} is not ${value}`,
      );
      figures += 1;
    }
  }
}
await file[Symbol.asyncDispose]();
console.log(`${figures} figures are those of metric`);
