import { vi } from 'vitest';

/** The parts of its process that a test can change, which would affect the next test file in that process. */
export const processState = (): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value])),
  'process.exitCode': process.exitCode,
  'process.cwd()': process.cwd(),
  'vi.useFakeTimers()': vi.isFakeTimers(),
  'globalThis.fetch': globalThis.fetch,
  'Date.now': Date.now,
  'performance.now': performance.now,
});

/**
 * The names of the parts that changed. A new variable is undone, but not named: libraries set theirs when they are loaded, as
 * libvips does with VIPSHOME.
 */
export function changedSince(before: Readonly<Record<string, unknown>>): string[] {
  const now = processState();
  return Object.keys(before).filter(name => before[name] !== now[name]);
}

/** Undoes what can be undone, so that only the file that changed it fails. */
export function restore(before: Readonly<Record<string, unknown>>): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  globalThis.fetch = before['globalThis.fetch'] as typeof fetch;
  process.exitCode = before['process.exitCode'] as number | undefined;
  process.chdir(before['process.cwd()'] as string);
  for (const name of Object.keys(process.env)) if (!(`process.env.${name}` in before)) delete process.env[name];
  for (const [name, value] of Object.entries(before))
    if (name.startsWith('process.env.')) process.env[name.slice('process.env.'.length)] = value as string;
}
