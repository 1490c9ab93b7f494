import { globSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const src = path.join(import.meta.dirname, 'src');
const out = path.join(import.meta.dirname, 'dist');

/** The programs that Node starts: the product, its command line, threads, and the process that draws pictures. */
const programs = globSync(['src/{main,cli}.ts', 'src/**/*.worker.ts', 'src/lib/pictures/draw.ts'], {
  cwd: import.meta.dirname,
});
/** The browser tests put their stand-ins into this module. */
const cloudHotels = 'src/features/integrations/cloud/ask.ts';

/** Modules find programs beside themselves in the build; SQL, fonts and built pages from the place of the source. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(src) || !code.includes('import.meta.url')) return null;
    const place = `new URL(${JSON.stringify(path.relative(out, id))}, import.meta.url).href`;
    const placed = code.replaceAll(
      /new URL\(['"](?:.*\/)?([\w.-]+)\.ts['"], import\.meta\.url\)|import\.meta\.url/g,
      (_, program) => (program ? `new URL('${program}.js', import.meta.url)` : place),
    );
    return { code: placed, map: null };
  },
};

/** The product's own modules in a few files, which load in half of the time. Packages stay in node_modules. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [places],
  build: {
    target: 'node24',
    ssr: true,
    outDir: out,
    sourcemap: true,
    rolldownOptions: {
      input: {
        ...Object.fromEntries(programs.map(file => [path.basename(file, '.ts'), file])),
        'cloud-hotels': cloudHotels,
      },
      // All files in one folder, so that each is as far from the sources.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', sourcemapExcludeSources: true },
    },
  },
});
