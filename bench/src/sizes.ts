import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './product.ts';
import type { Row } from './table.ts';

const kilobyte = 1024;

interface Size {
  readonly what: string;
  readonly bytes: number;
  readonly budget: number;
}

/** The size of the built panel, as scripts/budgets.mjs checks it; undefined if it is not built. */
export function measureSizes(): Row[] | undefined {
  if (!existsSync(path.join(root, 'panel/dist/.vite/manifest.json'))) return undefined;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/budgets.mjs', '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr || stdout);
  return (JSON.parse(stdout) as Size[]).map(({ what, bytes, budget }) => ({
    work: what,
    ours: `${(bytes / kilobyte).toFixed(1)} KB`,
    reference: '',
    figure: bytes / kilobyte,
    goal: { most: budget / kilobyte, unit: 'KB' },
  }));
}
