import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { median } from './measure.ts';
import { root } from './product.ts';
import type { Row } from './table.ts';

/** The tables of one run. */
export interface Results {
  readonly at: string;
  /** The commit of the checkout; ends in `+` if files were changed since. Null outside a checkout. */
  readonly commit: string | null;
  readonly cores: number;
  /** The machine's load (one minute's average) before and after the run. */
  readonly load: readonly [number, number];
  readonly scale: number;
  readonly parts: readonly { readonly title: string; readonly rows: readonly Row[] }[];
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** Collects the tables of a run that begins now. */
export function beginResults(scale: number) {
  const at = new Date().toISOString();
  const [before] = loadavg() as [number, number, number];
  const commit = git('rev-parse', '--short', 'HEAD');
  const changed = git('status', '--porcelain', '--untracked-files=no');
  const parts: { title: string; rows: readonly Row[] }[] = [];
  return {
    add: (title: string, rows: readonly Row[]) => parts.push({ title, rows }),
    /** Writes them to a file named after the time. Returns its path. */
    save: (folder: string): string => {
      const results: Results = {
        at,
        commit: commit && `${commit}${changed ? '+' : ''}`,
        cores: availableParallelism(),
        load: [before, loadavg()[0]!],
        scale,
        parts,
      };
      const file = path.join(folder, `bench-${at.replaceAll(':', '-').slice(0, 19)}Z.json`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
      return file;
    },
  };
}

/** The runs in a file, or in the files of a folder, oldest first. */
export function readResults(place: string): Results[] {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined) throw new Error(`There is no ${place}`);
  const files = isFolder
    ? readdirSync(place)
        .filter(name => /^bench-.*\.json$/.test(name))
        .sort()
    : [''];
  if (files.length === 0) throw new Error(`${place} has no results: make some with --save=${place}`);
  return files.map(name => {
    const file = path.join(place, name);
    try {
      const read = JSON.parse(readFileSync(file, 'utf8')) as Results;
      if (Array.isArray(read.parts)) return read;
    } catch {
      // It is refused like a file without parts.
    }
    throw new Error(`${file} is no result of npm run bench`);
  });
}

interface Measured {
  readonly name: string;
  readonly row: Row;
  readonly value: number;
}

/**
 * The figures of a run, by names that runs share: numbers in them may differ, and a row with an indent belongs to the one
 * above.
 */
function measuredIn({ parts }: Results): Map<string, Measured> {
  const found = new Map<string, Measured>();
  for (const { title, rows } of parts) {
    let above = '';
    for (const row of rows) {
      const { work, ratio, figure, goal } = row;
      if (!work.startsWith(' ')) above = work;
      const name = work.startsWith(' ') ? `${above}: ${work.trim()}` : work;
      // The goal is about the figure. Without a goal the ratio says more: it hardly depends on the machine.
      const value = goal ? (figure ?? ratio) : (ratio ?? figure);
      if (value === undefined) continue;
      const key = `${title}: ${name.replaceAll(/\d[\d,.]*/g, '#')}`;
      let unique = key;
      for (let n = 2; found.has(unique); n++) unique = `${key} ${n}`;
      found.set(unique, { name: `${title}: ${name}`, row, value });
    }
  }
  return found;
}

/** Between single runs, a smaller change is noise. */
const leastChange = 0.15;

const spreadOf = (values: readonly number[]): number => {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const typical = Math.abs(median(values));
  return most === least ? 0 : typical === 0 ? Number.POSITIVE_INFINITY : (most - least) / typical;
};

export interface Moved {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** How much the value must change to be more than noise, as a share of it. */
  readonly noise: number;
  readonly verdict: 'better' | 'worse' | 'moved';
}

export interface Comparison {
  readonly moved: readonly Moved[];
  readonly compared: number;
  /** Figures that only one side has. */
  readonly alone: readonly string[];
}

/**
 * Figures that changed by more than noise. Noise is how far the runs of one side differ among themselves, and at least
 * 15 %. A value that was zero moves with the first unit.
 */
export function compareResults(before: readonly Results[], after: readonly Results[]): Comparison {
  const sides = [before, after].map(runs => runs.map(measuredIn)) as [Map<string, Measured>[], Map<string, Measured>[]];
  const valuesOf = (side: readonly Map<string, Measured>[], key: string) =>
    side.flatMap(run => run.get(key)?.value ?? []);
  const keys = [...new Set(sides.flat().flatMap(run => [...run.keys()]))];
  const moved: Moved[] = [];
  const alone: string[] = [];
  let compared = 0;
  for (const key of keys) {
    const [was, is] = [valuesOf(sides[0], key), valuesOf(sides[1], key)];
    const { name, row } = sides
      .flat()
      .find(run => run.has(key))!
      .get(key)!;
    if (was.length === 0 || is.length === 0) {
      alone.push(name);
      continue;
    }
    compared++;
    const [old, now] = [median(was), median(is)];
    const noise = Math.max(leastChange, spreadOf(was), spreadOf(is));
    // Infinite times zero is no number, so equal values and those that differ among themselves without limit come first.
    if (now === old || noise === Number.POSITIVE_INFINITY) continue;
    if (Math.abs(now - old) <= noise * Math.abs(old)) continue;
    const better = row.goal && (row.goal.most === undefined ? now > old : now < old);
    moved.push({
      ...{ name, before: old, after: now, noise },
      verdict: better === undefined ? 'moved' : better ? 'better' : 'worse',
    });
  }
  return { moved, compared, alone };
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const runsOf = (runs: readonly Results[]): string => {
  const first = runs[0]!;
  const loads = runs.flatMap(it => it.load).map(it => it.toFixed(1));
  return `${runs.length} of ${[...new Set(runs.map(it => it.commit))].join(', ')}, ${first.cores} cores, load ${loads.join(', ')}`;
};

/** The comparison as text. */
export function describeComparison(before: readonly Results[], after: readonly Results[]): string {
  const { moved, compared, alone } = compareResults(before, after);
  const scales = new Set([...before, ...after].map(it => it.scale));
  const lines = [`before: ${runsOf(before)}`, `after:  ${runsOf(after)}`];
  if (scales.size > 1) lines.push(`The runs have different amounts of data: --scale=${[...scales].join(', ')}`);
  if ([...before, ...after].some(it => Math.max(...it.load) > 2 * it.cores))
    lines.push('The machine was busy: figures without a reference say little.');
  lines.push('');
  for (const { verdict, name, before: was, after: is, noise } of moved)
    lines.push(`${verdict.padEnd(6)} ${name}: ${shown(was)} → ${shown(is)} (noise ${(noise * 100).toFixed(0)} %)`);
  lines.push(`${moved.length} of ${compared} values moved beyond noise.`);
  if (alone.length) lines.push(`Only one side has: ${alone.join('; ')}`);
  return lines.join('\n');
}
