import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnswerlakeError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

// Each after those that it imports.
const MODULES = [
  'spread',
  'markup',
  'ink',
  'label',
  'numbers',
  'scale',
  'legend',
  'draw-time',
  'draw-bars',
  'draw-grid',
  'day-words',
  'time-charts',
  'stack-charts',
  'window-charts',
  'charts',
  'packed-charts',
  'chart-card',
] as const;

/** The drawing code as one script: the same functions draw here and in the page. */
export function pageModules(): string {
  return MODULES.map((name) => wrapped(name)).join('');
}

function wrapped(name: string): string {
  const exported: string[] = [];
  const body = compiled(name)
    .replaceAll(/^import \{([^}]*)\} from '\.\/([\w-]+)\.js';$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = ${variable(from)};`;
    })
    .replaceAll(/^export (function|class|const) (\w+)/gm, (_, kind: string, one: string) => {
      exported.push(one);
      return `${kind} ${one}`;
    })
    .replaceAll(/^\s*(?:\/\*\*.*\*\/|\/\/.*)$/gm, '')
    .replaceAll(/^\s+/gm, '');
  return `const ${variable(name)} = (() => {\n${body}return { ${exported.join(', ')} };\n})();\n`;
}

function variable(name: string): string {
  return `of_${name.replaceAll('-', '_')}`;
}

function compiled(name: string): string {
  const path = join(PACKAGE_ROOT, 'dist', 'src', 'report', `${name}.js`);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AnswerlakeError(`${path} is missing, and the report's page needs it; run npm run build`, {
      class: 'bug',
      cause,
    });
  }
}
