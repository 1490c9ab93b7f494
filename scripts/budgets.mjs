// Checks the compressed bytes that a browser fetches for each screen of the built panel.
// The first view of the guest portal is measured by captive/src/**/*.test.ts.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { giveUp, root } from './lib/run.mjs';

const kilobyte = 1024;
const budgets = {
  signIn: { js: 120 * kilobyte, css: 10 * kilobyte },
  first: { js: 215.5 * kilobyte },
  further: { js: 43 * kilobyte },
  /** Beyond those of the shell. */
  scripts: 12,
};

const dist = path.join(root, 'panel/dist');
const manifestFile = path.join(dist, '.vite/manifest.json');
if (!existsSync(manifestFile)) giveUp('panel/dist is missing: run npm run build');
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));

const named = name =>
  Object.keys(manifest).find(key => key.endsWith(name)) ??
  giveUp(`The panel has no ${name} any more: adapt scripts/budgets.mjs`);
const entry = Object.keys(manifest).find(key => manifest[key].isEntry);
const shell = [entry, named('src/app/panel-app.tsx')];
const publicShell = [entry, named('src/app/public-app.tsx')];

/** A chunk and all chunks that it imports. */
function closure(keys, seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key)) continue;
    seen.add(key);
    closure(manifest[key].imports ?? [], seen);
  }
  return seen;
}

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length);
  return sizes.get(file);
}

const sum = files => [...new Set(files)].reduce((total, file) => total + size(file), 0);
const js = keys => sum([...keys].map(key => manifest[key].file).filter(file => file.endsWith('.js')));
const css = keys => sum([...keys].flatMap(key => manifest[key].css ?? []));

// With --json the caller (bench) evaluates the figures.
const json = process.argv.includes('--json');
const held = [];
let broken = 0;
function hold(what, bytes, budget) {
  held.push({ what, bytes, budget });
  if (json) return;
  const over = bytes > budget;
  if (over) broken += 1;
  const figure = `${(bytes / kilobyte).toFixed(1).padStart(6)} of ${budget / kilobyte} KB`;
  console.log(`${over ? 'OVER' : 'ok  '} ${figure.padEnd(20)} ${what}`);
}

function holdScripts(page, scripts) {
  if (json || scripts <= budgets.scripts) return;
  broken += 1;
  console.log(`OVER ${scripts} of ${budgets.scripts} scripts`.padEnd(25), page);
}

// A screen loads the texts of one language; the larger of the two counts.
const texts = feature => Object.keys(manifest).filter(key => key.endsWith(`/${feature}.tr.json`));
const common = texts('common');
// The chunk of the shell's texts (panel/chunks.ts).
const shellTexts = Object.keys(manifest).filter(key => key.startsWith('_texts.tr-'));
if (shellTexts.length !== 1)
  giveUp('The texts of the shell have no chunk of their own any more: adapt scripts/budgets.mjs');

const signIn = closure([...publicShell, ...common, ...texts('auth')]);
hold('sign-in, JavaScript', js(signIn), budgets.signIn.js);
hold('sign-in, CSS', css(signIn), budgets.signIn.css);

const inside = closure([...shell, ...common, ...shellTexts]);
const pages = Object.keys(manifest).filter(
  key => /features\/(?!auth\/).*(-page|\.routes)\.tsx$/.test(key) && manifest[key].isDynamicEntry,
);
for (const page of pages) {
  const feature = /features\/([^/]+)\//.exec(page)?.[1];
  const whole = closure([page, ...texts(feature)], new Set(inside));
  hold(`${page}, opened first`, js(whole), budgets.first.js);
  hold(`${page}, opened later`, js(whole) - js(inside), budgets.further.js);
  holdScripts(page, closure([page], new Set(inside)).size - inside.size);
}
if (json) console.log(JSON.stringify(held));
if (broken > 0) giveUp(`${broken} over budget`);
