import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatcher } from './batcher.ts';
import { createDeviceDirectory } from './device-directory.ts';
import { createDuplicates } from './duplicates.ts';
import { createFloodLimit } from './flood-limit.ts';
import type { RadiusDevice } from './types.ts';

describe('batches', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  const start = () => {
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const run = (batch: number[]): Promise<void> => {
      sizes.push(batch.length);
      return new Promise(resolve => ends.push(resolve));
    };
    const batcher = createBatcher<number>({ size: 100, waitMs: 4, inFlight: 2, capacity: 1000, run });
    return { ...batcher, sizes, ends, add: (count: number) => Array.from({ length: count }, (_, n) => batcher.add(n)) };
  };

  it('start beside a running one when they are as large', async () => {
    const { sizes, add } = start();
    add(10);
    await turns();
    add(4);
    add(6);
    await turns();
    expect(sizes).toEqual([10, 10]);
  });

  it('wait for a running one while they are smaller', async () => {
    const { sizes, ends, add } = start();
    add(10);
    await turns();
    add(4);
    await turns();
    expect(sizes).toEqual([10]);
    ends[0]!();
    await turns();
    expect(sizes).toEqual([10, 4]);
  });

  it('are at most two at a time', async () => {
    const { sizes, ends, add } = start();
    add(350);
    await turns();
    vi.advanceTimersByTime(50);
    expect(sizes).toEqual([100, 100]);
    ends[0]!();
    await turns();
    expect(sizes).toEqual([100, 100, 100]);
  });

  it('refuse what is beyond the room that is left', () => {
    const { add } = start();
    // Two full batches of a hundred run at once.
    expect(add(1201).filter(it => it)).toHaveLength(1200);
    expect(add(1)).toEqual([false]);
  });

  it('collect what further turns of the event loop bring', async () => {
    const { sizes, add } = start();
    add(1);
    await new Promise(setImmediate);
    add(2);
    await turns();
    add(3);
    await turns();
    expect(sizes).toEqual([3, 3]);
  });

  it('leave in order, each item once, after those that run', async () => {
    const { sizes, ends, add, waiting } = start();
    add(250);
    expect(waiting()).toBe(50);
    await turns();
    expect(sizes).toEqual([100, 100]);
    ends[0]!();
    ends[1]!();
    await turns();
    expect([sizes, waiting()]).toEqual([[100, 100, 50], 0]);
    add(100);
    expect(sizes, 'a full batch starts at once').toEqual([100, 100, 50, 100]);
  });

  it('are over when nothing waits and nothing runs', async () => {
    const { ends, add, drained } = start();
    await drained();
    add(10);
    let isOver = false;
    void drained().then(() => (isOver = true));
    await turns();
    add(4);
    ends[0]!();
    await turns();
    expect(isOver, 'four are left').toBe(false);
    ends[1]!();
    await turns();
    expect(isOver).toBe(true);
    await drained();
  });

  it('collect for so long at most, however much each turn brings', async () => {
    const { sizes, add } = start();
    add(1);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(3);
    add(1);
    await new Promise(setImmediate);
    expect(sizes).toEqual([]);
    vi.advanceTimersByTime(1);
    add(1);
    await new Promise(setImmediate);
    expect(sizes).toEqual([3]);
  });

  it('collect anew after each one', async () => {
    const { sizes, add } = start();
    add(3);
    await turns();
    add(3);
    await new Promise(setImmediate);
    add(2);
    await turns();
    expect(sizes).toEqual([3, 5]);
  });

  it('wait for each long one from the moment at which they came', async () => {
    const { sizes, ends, add } = start();
    add(10);
    await turns();
    add(4);
    vi.advanceTimersByTime(3);
    ends[0]!();
    await turns();
    add(3);
    vi.advanceTimersByTime(4);
    expect(sizes, 'the first wait was for another batch').toEqual([10, 4]);
    vi.advanceTimersByTime(1);
    expect(sizes).toEqual([10, 4, 3]);
    ends[2]!();
    await turns();
    add(2);
    vi.advanceTimersByTime(5);
    expect(sizes).toEqual([10, 4, 3, 2]);
  });

  it('are shared by all who wait, where items have senders', async () => {
    const taken: string[][] = [];
    const of = (item: string) => ({ tenant: item[0]!, sender: item[0]!, subjects: [item] });
    const { add } = createBatcher<string>({
      ...{ size: 2, waitMs: 4, inFlight: 1, capacity: 100, fairness: { of, perSubject: 1, perSender: 3 } },
      run: async batch => void taken.push(batch),
    });
    expect(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1'].map(add)).toEqual([true, true, true, true, true, false, true]);
    for (let n = 0; n < 4; n++) await turns();
    expect(taken).toEqual([
      ['a1', 'a2'],
      ['b1', 'a3'],
      ['a4', 'a5'],
    ]);
  });

  it('are not over while one of two runs', async () => {
    const { ends, add, drained } = start();
    add(200);
    let isOver = false;
    void drained().then(() => (isOver = true));
    await turns();
    expect(isOver, 'two run').toBe(false);
    ends[0]!();
    await turns();
    expect(isOver, 'one runs').toBe(false);
    ends[1]!();
    await turns();
    expect(isOver).toBe(true);
  });

  it('do not wait for one that takes long', async () => {
    const { sizes, add } = start();
    add(10);
    await turns();
    add(4);
    await turns();
    vi.advanceTimersByTime(5);
    expect(sizes).toEqual([10, 4]);
  });
});

describe('duplicates', () => {
  it('removes entries after their time and beyond the maximum', () => {
    let time = 1;
    const cache = createDuplicates({ ttlMs: 30_000, maxEntries: 3, now: () => time });
    expect(cache.begin('a', '1')).toBe('new');
    cache.finish('a', '1', Buffer.from('reply'));
    expect(cache.begin('a', '1')).toEqual(Buffer.from('reply'));
    time = 30_002;
    expect(cache.begin('a', '1')).toBe('new');
    for (const key of 'bcdefg') cache.begin(key, '1');
    expect(cache.size()).toBe(3);
    expect(cache.begin('g', '1')).toBe('in_progress');
    cache.finish('g', 'another', Buffer.from('late'));
    expect(cache.begin('g', '1')).toBe('in_progress');
  });
});

describe('a request without a reply', () => {
  it('counts as new when it comes again, but not because another one was given up', () => {
    const cache = createDuplicates();
    cache.begin('a', '1');
    cache.forget('a', 'another');
    cache.forget('b', '1');
    expect(cache.begin('a', '1')).toBe('in_progress');
    cache.finish('b', '1', Buffer.from('late'));
    cache.forget('a', '1');
    expect(cache.begin('a', '1')).toBe('new');
  });
});

describe('flood limit', () => {
  it('refills over time and counts each address separately', () => {
    let time = 0;
    const limit = createFloodLimit({ perSecond: 2, maxEntries: 2, now: () => time });
    expect([1, 2, 3].map(() => limit.admits('a'))).toEqual([true, true, false]);
    expect(limit.admits('b')).toBe(true);
    time = 500;
    expect([1, 2].map(() => limit.admits('a'))).toEqual([true, false]);
    expect(limit.admits('c')).toBe(true);
  });
});

describe('device directory', () => {
  const device: RadiusDevice = { id: 'd', tenantId: 't', secret: Buffer.from('s'), requireMessageAuthenticator: false };

  it('caches devices, forgets on request and returns a changed secret', async () => {
    let time = 0;
    let stored: RadiusDevice | undefined = device;
    let asked = 0;
    const directory = createDeviceDirectory(
      {
        resolveDevice: async () => {
          asked += 1;
          return stored;
        },
        learnedMessageAuthenticator: () => undefined,
        failed: () => undefined,
      },
      { freshMs: 5000, now: () => time },
    );
    await Promise.all([directory.find('n'), directory.find('n')]);
    await directory.find('n');
    expect(asked).toBe(1);
    stored = { ...device, secret: Buffer.from('new') };
    directory.forget('n');
    expect(await directory.find('n')).toMatchObject({ secret: Buffer.from('new') });
    stored = undefined;
    time = 5000;
    expect(await directory.find('n')).toBe('unknown');
  });

  it('keeps a learned flag until the database has it, then follows the database', async () => {
    let stored = device;
    let reports = 0;
    const directory = createDeviceDirectory(
      {
        resolveDevice: async () => stored,
        learnedMessageAuthenticator: async () => {
          reports += 1;
          if (reports === 1) throw new Error('away');
        },
        failed: () => undefined,
      },
      { freshMs: 0 },
    );
    directory.learned('n', (await directory.find('n')) as RadiusDevice);
    expect(await directory.find('n')).toMatchObject({ requireMessageAuthenticator: true });
    stored = { ...device, requireMessageAuthenticator: true };
    await directory.find('n');
    stored = device;
    expect(await directory.find('n')).toMatchObject({ requireMessageAuthenticator: false });
  });

  it('looks up all devices again, also unknown ones, when all are forgotten', async () => {
    const asked: string[] = [];
    const directory = createDeviceDirectory({
      resolveDevice: async name => {
        asked.push(name);
        return name.startsWith('unknown') ? undefined : device;
      },
      learnedMessageAuthenticator: () => undefined,
      failed: () => undefined,
    });
    const names = ['a', 'b', 'unknown', 'unknown too'];
    const findAll = async () => {
      for (const name of names) await directory.find(name);
      return asked.splice(0);
    };
    expect([await findAll(), await findAll()]).toEqual([names, []]);
    expect(names.map(directory.knows)).toEqual([true, true, false, false]);
    directory.forget();
    expect([await findAll(), await findAll()]).toEqual([names, []]);
    for (const name of ['b', 'unknown', 'never heard']) directory.forget(name);
    expect(directory.knows('never heard')).toBe(false);
    expect(await findAll()).toEqual(['b', 'unknown']);
  });

  it('finds a device whose name was unknown after ten seconds, and looks up no name of more than 64 characters', async () => {
    let time = 1;
    let stored: RadiusDevice | undefined;
    const asked: string[] = [];
    const directory = createDeviceDirectory(
      {
        resolveDevice: async name => {
          asked.push(name);
          return stored;
        },
        learnedMessageAuthenticator: () => undefined,
        failed: () => undefined,
      },
      { now: () => time },
    );
    expect(await directory.find('n')).toBe('unknown');
    stored = device;
    time = 10_001;
    expect(await directory.find('n')).toBe('unknown');
    time = 10_002;
    expect(await directory.find('n')).toMatchObject({ id: 'd' });
    expect(await directory.find('n'.repeat(65))).toBe('unknown');
    expect(await directory.find('n'.repeat(64))).toMatchObject({ id: 'd' });
    expect(asked).toEqual(['n', 'n', 'n'.repeat(64)]);
  });

  it('forgets a deleted device and what it learned of it', async () => {
    let stored: RadiusDevice | undefined = device;
    const directory = createDeviceDirectory(
      { resolveDevice: async () => stored, learnedMessageAuthenticator: () => undefined, failed: () => undefined },
      { freshMs: 0, absentMs: 1 },
    );
    directory.learned('n', (await directory.find('n')) as RadiusDevice);
    stored = undefined;
    expect([await directory.find('n'), directory.knows('n')]).toEqual(['unknown', false]);
    directory.forget('n');
    stored = device;
    expect(await directory.find('n')).toMatchObject({ requireMessageAuthenticator: false });
  });

  it('tells what it learned once, at once, and reports when that fails', async () => {
    const told: string[] = [];
    const failures: string[] = [];
    const directory = createDeviceDirectory({
      resolveDevice: async () => device,
      learnedMessageAuthenticator: async it => {
        told.push(it.id);
        throw new Error('away');
      },
      failed: where => failures.push(where),
    });
    directory.learned('n', (await directory.find('n')) as RadiusDevice);
    const changed = (await directory.find('n')) as RadiusDevice;
    expect(changed.requireMessageAuthenticator, 'before it is looked up again').toBe(true);
    directory.learned('n', changed);
    await new Promise(setImmediate);
    expect([told, failures]).toEqual([['d'], ['learnedMessageAuthenticator']]);
  });

  it('looks up a known device beside a flood of unknown names, and away from the database keeps asking', async () => {
    let gate = Promise.resolve<RadiusDevice | undefined>(device);
    const directory = createDeviceDirectory(
      { resolveDevice: () => gate, learnedMessageAuthenticator: () => undefined, failed: () => undefined },
      { lookups: 1, freshMs: 0 },
    );
    await directory.find('known');
    const held = Promise.withResolvers<RadiusDevice | undefined>();
    gate = held.promise;
    const flood = directory.find('invented');
    const found = directory.find('known');
    held.resolve(device);
    expect([await flood, await found]).toMatchObject([{ id: 'd' }, { id: 'd' }]);
    gate = Promise.reject(new Error('away'));
    expect(await directory.find('known')).toBe('away');
    gate = Promise.resolve(device);
    expect(await directory.find('known')).toMatchObject({ id: 'd' });
  });

  it('reports a failed look-up, and limits the concurrent look-ups of unknown devices', async () => {
    const gate = Promise.withResolvers<undefined>();
    const failures: string[] = [];
    const directory = createDeviceDirectory(
      {
        resolveDevice: () => gate.promise,
        learnedMessageAuthenticator: () => undefined,
        failed: where => failures.push(where),
      },
      { lookups: 2 },
    );
    const waiting = [directory.find('a'), directory.find('b')];
    expect(await directory.find('c')).toBe('busy');
    gate.reject(new Error('away'));
    expect(await Promise.all(waiting)).toEqual(['away', 'away']);
    expect(failures).toEqual(['resolveDevice', 'resolveDevice']);
  });
});
