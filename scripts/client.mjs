// `npm run client` makes client/src/api.d.ts from the contract. Run it after a change of the contract; a test tells when.
// `npm run client -- --pack` also makes client/dist, the package as it is published.
//
// The generator is not a dependency: it needs an older TypeScript and would add 44 MB to each installation.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clientDescription, stampOf } from './lib/client-description.mjs';
import { giveUp, root, run } from './lib/run.mjs';

const generator = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
// A field with a default may be left out.
const flags = ['--default-non-nullable', 'false'];
const client = path.join(root, 'client');
const types = path.join(client, 'src/api.d.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'portico-client-'));
try {
  const { description, hash } = clientDescription();
  const source = path.join(folder, 'openapi.json');
  writeFileSync(source, JSON.stringify(description));
  const packages = generator.map(it => `--package=${it}`);
  const made = path.join(folder, 'api.d.ts');
  // In an empty folder, so that npm does not look at this project's packages.
  const code = await run(
    'npm',
    ['exec', '--yes', ...packages, '--', 'openapi-typescript', ...flags, source, '-o', made],
    {
      cwd: folder,
    },
  );
  if (code !== 0) giveUp('openapi-typescript failed: see above');
  writeFileSync(types, `${stampOf(hash)}\n${readFileSync(made, 'utf8')}`);
  if (process.argv.includes('--pack')) await pack();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function pack() {
  const dist = path.join(client, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const emit = ['--noEmit', 'false', '--declaration', '--outDir', dist, '--rewriteRelativeImportExtensions', 'true'];
  const files = [path.join(client, 'src/index.ts')];
  const shape = ['--target', 'es2022', '--module', 'nodenext', '--strict', 'true', '--skipLibCheck', 'true'];
  if ((await run('tsc', ['--ignoreConfig', ...shape, ...emit, ...files])) !== 0) giveUp('tsc failed: see above');
  cpSync(types, path.join(dist, 'api.d.ts'));
  const { private: _, exports: __, ...manifest } = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'));
  const published = { ...manifest, exports: { '.': { types: './index.d.ts', default: './index.js' } } };
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const file of ['README.md']) cpSync(path.join(client, file), path.join(dist, file));
  cpSync(path.join(root, 'LICENSE'), path.join(dist, 'LICENSE'));
  console.log(`npm publish ${path.relative(root, dist)}`);
}
