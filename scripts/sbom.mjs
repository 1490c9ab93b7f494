// `npm run sbom`: writes dist/portico.cdx.json, the bill of materials (CycloneDX 1.6) of what ships. It has the server's
// packages, and those that are bundled into the panel and the guest portal. The package and the image contain it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/run.mjs';

export const shippedWorkspaces = ['server', 'panel', 'captive', 'contract', 'radius'];
const read = file => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Where Node finds a package that the one at `from` asks for. */
function placeOf(lock, from, name) {
  for (let at = from; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
    const place = `${at && `${at}/`}node_modules/${name}`;
    if (lock[place]) return lock[place].link ? lock[place].resolved : place;
    if (at === '') return undefined;
  }
}

/** `name@version` of each package that the shipped workspaces need. `npm sbom --omit=dev` leaves out what development needs too. */
export function shippedPackages(lock) {
  const seen = new Set();
  const visit = place => {
    if (place === undefined || seen.has(place)) return;
    seen.add(place);
    const { dependencies, optionalDependencies } = lock[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) visit(placeOf(lock, place, name));
  };
  for (const workspace of shippedWorkspaces) visit(workspace);
  return new Set(
    [...seen]
      .filter(place => place.includes('node_modules/'))
      .map(place => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${lock[place].version}`),
  );
}

export function sbom() {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const made = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const shipped = shippedPackages(read('package-lock.json').packages);
  const { name, version, license } = read('package.json');
  const id = `${name}@${version}`;
  const components = made.components.filter(it => shipped.has(`${it.name}@${it.version}`));
  const refs = new Set([id, ...components.map(it => it['bom-ref'])]);
  const own = made.metadata.component['bom-ref'];
  const graph = made.dependencies.filter(it => it.ref !== own && refs.has(it.ref));
  return {
    ...made,
    // npm writes 1.5, of which 1.6 is an extension.
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    specVersion: '1.6',
    metadata: {
      ...made.metadata,
      // npm takes the name of the folder.
      component: { 'bom-ref': id, type: 'application', name, version, licenses: [{ license: { id: license } }] },
    },
    components,
    dependencies: [
      { ref: id, dependsOn: components.map(it => it['bom-ref']) },
      ...graph.map(it => ({ ...it, dependsOn: (it.dependsOn ?? []).filter(ref => refs.has(ref)) })),
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2] ?? path.join(root, 'dist/portico.cdx.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom(), null, 2)}\n`);
  console.log(file);
}
