import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { registry } from '#lib/metrics.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const sources = (): string[] =>
  globSync('server/src/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(path.join(root, file), 'utf8'));

/** All exported metrics: those of the source, and those of Node.js. */
function exported(): Set<string> {
  const names = registry.getMetricsAsArray().map(it => it.name);
  for (const source of sources()) {
    for (const [, name] of source.matchAll(/['"`](portico_[a-z_]+)['"`]/g)) names.push(name!);
    // Counters of the data plane get their prefix when they are made.
    for (const [, name] of source.matchAll(/\bcount\(\s*['"`]([a-z_]+)['"`]/g)) names.push(`portico_${name}`);
  }
  return new Set(names.flatMap(name => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
}

/** Metrics of Prometheus itself and of its node exporter. */
const others = new Set(['up', 'node_filesystem_avail_bytes']);
const metric = /\b(?:portico|process|nodejs|node)_[a-z0-9_]+\b|\bup\b(?=\{)/g;
const missingIn = (expressions: readonly string[]): string[] => {
  const known = exported();
  const named = expressions.flatMap(expression => expression.replaceAll(/"[^"]*"/g, '""').match(metric) ?? []);
  expect(named.length).toBeGreaterThan(10);
  return [...new Set(named)].filter(name => !known.has(name) && !others.has(name));
};

test('every metric of the Grafana dashboard is exported', () => {
  const screen = JSON.parse(readFileSync(path.join(root, 'deploy/grafana/portico.json'), 'utf8')) as {
    panels: { title: string; description: string; targets: { expr: string }[] }[];
  };
  expect(missingIn(screen.panels.flatMap(panel => panel.targets.map(it => it.expr)))).toEqual([]);
  expect(screen.panels.filter(panel => !panel.description)).toEqual([]);
});

test('every metric of the alert rules is exported', () => {
  const rules = readFileSync(path.join(root, 'deploy/prometheus-rules.yaml'), 'utf8');
  expect(missingIn([...rules.matchAll(/expr:([\s\S]*?)\n {8}(?:for|labels):/g)].map(([, text]) => text!))).toEqual([]);
});

test('every alert says what happened and what to do', () => {
  const rules = readFileSync(path.join(root, 'deploy/prometheus-rules.yaml'), 'utf8').split('- alert: ').slice(1);
  expect(rules.length).toBeGreaterThan(20);
  const silent = rules.filter(rule => !/\n {10}summary: .+/.test(rule) || !/\n {10}action: .+/.test(rule));
  expect(silent).toEqual([]);
});

test('every alert names the section of its runbook', () => {
  const operations = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const sections = new Map(
    operations.split(/\n#{2,3} /).map(section => {
      const [heading, ...lines] = section.split('\n');
      return [anchor(heading!), lines.join('\n')];
    }),
  );
  const rules = readFileSync(path.join(root, 'deploy/prometheus-rules.yaml'), 'utf8').split('- alert: ').slice(1);
  // A section begins with the names of its alerts.
  const lost = rules.filter(rule => {
    const [, at] = /\n {10}runbook: docs\/operations\.md#(\S+)\n/.exec(rule) ?? [];
    return !sections
      .get(at ?? '')
      ?.trim()
      .split('\n')[0]!
      .includes(`\`${/^\w+/.exec(rule)![0]}\``);
  });
  expect(lost).toEqual([]);
  const links = [...operations.matchAll(/\]\(#([^)]+)\)/g)].map(([, at]) => at!);
  expect(links.filter(at => !sections.has(at))).toEqual([]);
});

function promtool(): string {
  const program = ['/usr/bin/promtool', path.join(root, '.cache/prometheus/usr/bin/promtool')].find(existsSync);
  if (!program) throw new Error('promtool is missing: npm test unpacks it');
  return program;
}

/**
 * The metrics of Node.js as they are, and those of the source by name, type and help. The registry has only those that
 * this process has used, and another test file may have used them before.
 */
async function allMetrics(): Promise<string> {
  const ofNode = (await registry.metrics()).split('\n\n').filter(block => !block.startsWith('# HELP portico_'));
  const declared = new Registry();
  const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram };
  const declaration = /\b(counter|gauge|histogram)\(\s*'(portico_[a-z_]+)',\s*(['"`])(.+?)\3/g;
  for (const source of sources())
    for (const [, kind, name, , help] of source.matchAll(declaration))
      if (!declared.getSingleMetric(name!))
        declared.registerMetric(
          new kinds[kind as keyof typeof kinds]({ name: name!, help: help!, registers: [] }) as Metric,
        );
  expect(declared.getMetricsAsArray().length).toBeGreaterThan(40);
  return `${ofNode.join('\n\n')}\n${await declared.metrics()}`;
}

test('Prometheus finds nothing wrong with the metrics', async () => {
  const input = await allMetrics();
  expect(input).toContain('nodejs_active_handles');
  expect(String(execFileSync(promtool(), ['check', 'metrics'], { input, stdio: 'pipe' }))).toBe('');
});

test('Prometheus accepts the rules, and they fire when they should', () => {
  const program = promtool();
  const run = (...words: string[]) => execFileSync(program, words, { cwd: path.join(root, 'deploy'), stdio: 'pipe' });
  expect(String(run('check', 'rules', 'prometheus-rules.yaml'))).toContain('SUCCESS');
  expect(String(run('test', 'rules', 'prometheus-rules.test.yaml'))).toContain('SUCCESS');
});
