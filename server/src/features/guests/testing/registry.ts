import { afterFile } from '#test/after-file.ts';
import { openRegistry } from './registry-server.ts';

/** The fake national registry until the end of the test file. */
export async function startRegistry() {
  const { close, ...registry } = await openRegistry();
  afterFile(close);
  return registry;
}
