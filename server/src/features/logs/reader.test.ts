import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { listStreams } from './intake.queries.ts';
import { makeDevice, openReader, writeRaw } from './testing/fixture.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});

/** A device whose lines are stored and not read yet. */
async function deviceWithLines(nas: string) {
  const device = await makeDevice(api, { nas });
  await writeRaw(api, device, [{ at: new Date().toISOString(), line: '<30>Oct 21 09:30:00 nas system,info started' }]);
  return { ...device, deviceId: device.id };
}

describe('the reader of raw logs', () => {
  test('reports what it cannot read from the database, and goes on', async () => {
    const device = await deviceWithLines('awayreader');
    const problems: unknown[] = [];
    let failures = 0;
    const { reader, stop } = await openReader(api, [device], {
      load: async () => {
        if (failures > 0 && --failures === 0) throw new Error('The database is away.');
        return api.app.db.withSystem(listStreams);
      },
      problem: (what, error) => problems.push([what, (error as Error).message]),
    });
    // The first question is the one of `arrive`, the second one that of the reader.
    failures = 2;
    const arriving = reader.arrive([device]);
    reader.start();
    expect(await arriving).toEqual(new Set());
    expect(problems).toEqual([['commit_failed', 'The database is away.']]);
    await stop();
  });

  test('reports a device whose files cannot be opened once, until they can', async () => {
    const [broken, other] = [await deviceWithLines('brokenreader'), await deviceWithLines('otherreader')];
    const problems: unknown[] = [];
    let isBroken = true;
    const { reader, stop } = await openReader(api, [broken, other], {
      reopen: async ({ deviceId }) => {
        if (isBroken && deviceId === broken.id) throw new Error('The disk is broken.');
      },
      problem: (what, error) => problems.push([what, (error as Error).message]),
    });
    reader.start();
    const failing = async () => [...(await reader.arrive([broken, other]))];
    const reported = ['arrival_failed', 'The disk is broken.'];
    for (let n = 0; n < 3; n += 1) expect(await failing()).toEqual([broken.id]);
    expect(problems).toEqual([reported]);
    isBroken = false;
    expect(await failing()).toEqual([]);
    isBroken = true;
    expect(await failing()).toEqual([broken.id]);
    expect(problems).toEqual([reported, reported]);
    await stop();
  });
});
