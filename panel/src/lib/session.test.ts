import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const went: string[] = [];
let changed: (event: { key: string; newValue: string | null }) => void;

/** This tab. Others share its storage and only write to it. */
let tab: typeof import('#lib/session.ts');
beforeEach(async () => {
  stored.clear();
  went.length = 0;
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  const [assign, reload] = [(to: string) => void went.push(to), () => void went.push('reload')];
  vi.stubGlobal('location', { search: '?page=2', pathname: '/visitors', assign, reload });
  vi.stubGlobal('addEventListener', (_: string, listener: typeof changed) => {
    changed = listener;
  });
  tab = await import('#lib/session.ts');
  tab.storeToken('one');
  tab.watchOtherTabs();
});
const tokenGoes = () => changed({ key: 'portico.token', newValue: null });
const atPlace = '/auth/login?ended=1&next=%2Fvisitors%3Fpage%3D2';

test('a tab keeps its place when another was told that the session has ended', () => {
  tab.dropEndedToken();
  tokenGoes();
  expect([went, tab.endedByServer()]).toEqual([[atPlace], true]);
});

test('a tab keeps nothing when the user signs out, also after a session that had ended before', () => {
  tab.dropEndedToken();
  tab.storeToken('two');
  tab.dropToken();
  tokenGoes();
  expect([went, tab.endedByServer()]).toEqual([['/auth/login'], false]);
});

test('a tab that slept while another signed in again loads anew, and leaves that session', () => {
  tab.dropEndedToken();
  tab.storeToken('two');
  tokenGoes();
  expect([went, tab.token(), tab.endedByServer()]).toEqual([['reload'], 'two', true]);
});
