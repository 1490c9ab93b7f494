import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './lib/run.mjs';
import { sbom, shippedPackages, shippedWorkspaces } from './sbom.mjs';

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const lock: Record<string, { version: string; dev?: boolean }> = read('package-lock.json').packages;

interface Component {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly purl: string;
  readonly 'bom-ref': string;
}

describe('the bill of materials', () => {
  const bom = sbom();
  const components: Component[] = bom.components;
  const named = new Set(components.map(it => it.name));

  test('names the packages that ship, and none that only development needs', () => {
    expect(new Set(components.map(it => `${it.name}@${it.version}`))).toEqual(shippedPackages(lock));
    for (const workspace of shippedWorkspaces)
      for (const name of Object.keys(read(`${workspace}/package.json`).dependencies ?? {}))
        if (!name.startsWith('@portico/')) expect(named).toContain(name);
    const development = new Set(
      Object.entries(lock).flatMap(([place, { dev, version }]) =>
        dev ? [`${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`] : [],
      ),
    );
    const others = new Set(
      Object.entries(lock).flatMap(([place, { dev, version }]) =>
        dev ? [] : [`${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`],
      ),
    );
    for (const it of components) {
      const id = `${it.name}@${it.version}`;
      expect(development.has(id) && !others.has(id), id).toBe(false);
    }
    for (const name of ['typescript', 'vitest', 'knip', '@biomejs/biome']) expect(named).not.toContain(name);
  });

  test('is CycloneDX 1.6, and its graph names only what it lists', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'portico' });
    const refs = [bom.metadata.component['bom-ref'], ...components.map(it => it['bom-ref'])];
    expect(new Set(refs).size).toBe(refs.length);
    for (const it of components) {
      expect(it.type).toBe('library');
      expect(it.purl).toMatch(/^pkg:npm\/[^@]+@\d/);
    }
    for (const { ref, dependsOn } of bom.dependencies as { ref: string; dependsOn: string[] }[])
      for (const each of [ref, ...dependsOn]) expect(refs).toContain(each);
  });
});
