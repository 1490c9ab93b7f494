// Writes the fonts of the panel (panel/src/app/styles/inter*.woff2) from the package of Inter. Run it after an update of the
// package. Needs fonttools and Brotli for Python: `pip install fonttools brotli`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { giveUp, root } from './lib/run.mjs';

const source = path.join(root, 'node_modules/@fontsource-variable/inter/files');
const target = path.join(root, 'panel/src/app/styles');

/**
 * The ranges stand in fonts.css too. Each screen needs `inter.woff2` and `inter-turkish.woff2`. So the first has every letter
 * and sign of our own texts, such as the é of café, the ñ of Español and the © below the sign-in: one of them in `inter-latin.woff2` costs 10 KB.
 */
const fonts = {
  'inter.woff2': {
    from: 'inter-latin-wght-normal.woff2',
    unicodes:
      'U+0020-007E,U+00A0,U+00A9,U+00AB,U+00B0,U+00B7,U+00BB,U+00C2,U+00C7,U+00C9,U+00CE,U+00D1,U+00D6-00D7,U+00DB-00DC,U+00E2,U+00E7,U+00E9,U+00EE,U+00F1,U+00F6,U+00FB-00FC,U+0131,U+2010-2026,U+2030-203A,U+20AC,U+2191,U+2193,U+2212',
  },
  'inter-latin.woff2': {
    from: 'inter-latin-wght-normal.woff2',
    unicodes:
      'U+00A1-00A8,U+00AA,U+00AC-00AF,U+00B1-00B6,U+00B8-00BA,U+00BC-00C1,U+00C3-00C6,U+00C8,U+00CA-00CD,U+00CF-00D0,U+00D2-00D5,U+00D8-00DA,U+00DD-00E1,U+00E3-00E6,U+00E8,U+00EA-00ED,U+00EF-00F0,U+00F2-00F5,U+00F7-00FA,U+00FD-00FF,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-200F,U+2027-202F,U+203B-206F,U+2122,U+2215',
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
