import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API to pass calls on to while developing; in production the server itself serves what is built here. */
const api = process.env.PORTICO_API ?? 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { port: 5173, proxy: { '/v1': { target: api, xfwd: true } } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
      },
    },
  },
});
