import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { contractAddresses } from './contract-addresses.ts';
import { mantineStyles, usedColours } from './mantine-styles.ts';

/** The API that the development server proxies to. In production the server itself serves the built panel. */
const api = process.env.PORTICO_API ?? 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractAddresses(), mantineStyles(), react()],
  css: { postcss: { plugins: [usedColours] } },
  server: { port: 5173, proxy: { '/v1': { target: api, xfwd: true }, '/readyz': { target: api, xfwd: true } } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups(import.meta.dirname) },
      },
    },
  },
});
