// Writes the fonts of the panel (panel/src/app/styles/inter*.woff2) from the package of Inter. Run it after an update of the
// package. Needs fonttools and Brotli for Python: `pip install fonttools brotli`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { giveUp, root } from './lib/run.mjs';

const source = path.join(root, 'node_modules/@fontsource-variable/inter/files');
const target = path.join(root, 'panel/src/app/styles');

/** The ranges stand in fonts.css too. Turkish is apart from the rest of Latin Extended: each screen needs it. */
const fonts = {
  'inter.woff2': {
    from: 'inter-latin-wght-normal.woff2',
    unicodes:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215',
  },
  'inter-turkish.woff2': {
    from: 'inter-latin-ext-wght-normal.woff2',
    unicodes: 'U+011E-011F,U+0130,U+015E-015F,U+20BA',
  },
  'inter-ext.woff2': {
    from: 'inter-latin-ext-wght-normal.woff2',
    unicodes:
      'U+0100-011D,U+0120-012F,U+0132-0151,U+0154-015D,U+0160-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1E00-1E9F,U+20A0-20AB,U+20AD-20B9,U+20BB-20C0',
  },
};

/** The weights and features that the style sheets use; base.css and `tabular-nums`. */
const weights = 'wght=400:700';
const features = 'ccmp,kern,mark,mkmk,locl,tnum,cv05,ss03';

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) giveUp(`${command}: ${error?.message ?? stderr}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'portico-fonts-'));
for (const [name, { from, unicodes }] of Object.entries(fonts)) {
  const limited = path.join(folder, 'limited.ttf');
  run('fonttools', ['varLib.instancer', path.join(source, from), weights, '-o', limited]);
  run('pyftsubset', [
    limited,
    `--unicodes=${unicodes}`,
    `--layout-features=${features}`,
    '--no-hinting',
    '--flavor=woff2',
    `--output-file=${path.join(target, name)}`,
  ]);
  console.log(`${name} ${(statSync(path.join(target, name)).size / 1024).toFixed(1)} KB`);
}
rmSync(folder, { recursive: true });
