import { defineConfig } from 'vite';

/**
 * Two builds: `dist/render.js`, which the server imports, and the scripts that pages load. React renders on
 * the server only.
 */
/** Tests build into temporary folders. */
const out = process.env['PORTICO_CAPTIVE_OUT'] ?? 'dist';

export default defineConfig({
  root: import.meta.dirname,
  builder: {},
  environments: {
    client: {
      build: {
        target: 'es2020',
        outDir: `${out}/client`,
        emptyOutDir: true,
        modulePreload: false,
        rolldownOptions: {
          input: { guest: 'src/client/guest.ts', preview: 'src/client/preview.ts', menu: 'src/client/menu.ts' },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        target: 'node24',
        ssr: true,
        minify: true,
        outDir: `${out}/server`,
        emptyOutDir: true,
        rolldownOptions: { input: { render: 'src/render.tsx' }, output: { entryFileNames: '[name].js' } },
      },
    },
  },
});
