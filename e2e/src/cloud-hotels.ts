// The product under test loads this before itself (`--import`). Addresses of hotel systems in the cloud are fixed, so that no
// setting can send their tokens elsewhere. Here they are read from a file that a journey writes.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const { hotelBases } = (await import(
  new URL('../../server/dist/cloud-hotels.js', import.meta.url).href
)) as typeof import('../../server/src/features/integrations/cloud/ask.ts');
const file = path.join(process.env['DATA_DIR'] ?? '', 'cloud-hotels.json');

for (const name of Object.keys(hotelBases))
  Object.defineProperty(hotelBases, name, {
    get: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8'))[name] : undefined) ?? 'http://127.0.0.1:1',
  });
