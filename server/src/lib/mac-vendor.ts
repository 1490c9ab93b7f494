import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** How many hexadecimal digits the registry gives away, the longest first: a small block lies within a large one. */
const lengths = [9, 7, 6] as const;

let registry: Promise<ReadonlyMap<string, string>> | undefined;

async function readRegistry(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(require.resolve('oui-data'), 'utf8');
  const entries = Object.entries(JSON.parse(text) as Record<string, string>);
  // The address of the company follows its name.
  return new Map(entries.map(([prefix, company]) => [prefix, company.split('\n', 1)[0]!.trim()]));
}

/** The maker of the device with this MAC address. Null if unknown; locally administered addresses have no maker. */
export async function macVendor(mac: string): Promise<string | null> {
  const digits = mac.replace(/[^0-9A-Fa-f]/g, '').toUpperCase();
  if (digits.length !== 12 || (Number.parseInt(digits.slice(0, 2), 16) & 2) !== 0) return null;
  // Millions of characters: read once, when a list first needs them.
  registry ??= readRegistry();
  const known = await registry;
  for (const length of lengths) {
    const company = known.get(digits.slice(0, length));
    if (company) return company;
  }
  return null;
}
