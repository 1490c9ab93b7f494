import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const ofTab = new Map<string, string>();
const storage = (map: Map<string, string>) => ({
  getItem: (key: string) => map.get(key) ?? null,
  setItem: (key: string, value: string) => void map.set(key, value),
  removeItem: (key: string) => void map.delete(key),
});
const went: string[] = [];
let changed: (event: { key: string; newValue: string | null }) => void;

/** This tab. Others share its storage and only write to it. */
let tab: typeof import('#lib/session.ts');
beforeEach(async () => {
  stored.clear();
  ofTab.clear();
  went.length = 0;
  vi.resetModules();
  vi.stubGlobal('localStorage', storage(stored));
  vi.stubGlobal('sessionStorage', storage(ofTab));
  const [assign, reload] = [(to: string) => void went.push(to), () => void went.push('reload')];
  vi.stubGlobal('location', { search: '?page=2', pathname: '/visitors', assign, reload });
  vi.stubGlobal('addEventListener', (_: string, listener: typeof changed) => {
    changed = listener;
  });
  tab = await import('#lib/session.ts');
  tab.storeToken('one');
  (await import('#lib/other-tabs.ts')).watchOtherTabs(() => void went.push('reads the user'));
});
const mustLeave = async () => (await import('#lib/forced-leave.ts')).mustLeave();
const tokenGoes = () => changed({ key: 'portico.token', newValue: null });
const atPlace = '/auth/login?ended=1&next=%2Fvisitors%3Fpage%3D2';

test('a tab keeps its place when another was told that the session has ended', () => {
  tab.dropEndedToken();
  tokenGoes();
  expect([went, tab.endedByServer()]).toEqual([[atPlace], true]);
});

test('a tab keeps nothing when the user signs out, also after a session that had ended before', async () => {
  tab.dropEndedToken();
  tab.storeToken('two');
  tab.dropToken();
  expect(await mustLeave()).toBe(false);
  tokenGoes();
  expect([went, tab.endedByServer()]).toEqual([['/auth/login'], false]);
  expect(await mustLeave(), 'asks nothing').toBe(true);
});

test('a tab reads its user again when another tab signs in over its session', () => {
  tab.storeToken('two');
  changed({ key: 'portico.token', newValue: 'two' });
  expect(went).toEqual(['reads the user']);
});

test('a tab that slept while another signed in again loads anew, and leaves that session', () => {
  tab.dropEndedToken();
  tab.storeToken('two');
  tokenGoes();
  expect([went, tab.token(), tab.endedByServer()]).toEqual([['reload'], 'two', true]);
});

test('a tab that is refused after the user signed out says nothing of an end', () => {
  tab.dropToken();
  tab.signedOutElsewhere('one');
  expect(went).toEqual([]);
  tokenGoes();
  expect([went, tab.endedByServer()]).toEqual([['/auth/login'], false]);
});

test('a tab that is refused with an older token loads anew, and leaves the new session', () => {
  tab.storeToken('two');
  tab.signedOutElsewhere('one');
  expect([went, tab.token()]).toEqual([['reload'], 'two']);
});

test('a refused token ends the session of the tab once', () => {
  for (const _ of [1, 2]) tab.signedOutElsewhere('one');
  tokenGoes();
  expect([went, tab.token(), tab.endedByServer()]).toEqual([[atPlace], null, true]);
});

test('only the same user gets the place and the input of a session that ended', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('history', { replaceState });
  vi.stubGlobal('location', { search: '?ended=1&next=%2Fvisitors%3Fsearch%3DIşıl' });
  const signIn = (id: string) => {
    ofTab.set(tab.typedKey, 'typed');
    tab.signIn({ token: id, user: { id } });
  };
  for (const id of ['ayşe', 'ayşe']) signIn(id);
  expect([ofTab.get(tab.typedKey), replaceState.mock.calls]).toEqual(['typed', []]);
  signIn('burak');
  expect([ofTab.get(tab.typedKey), replaceState.mock.calls]).toEqual([undefined, [[null, '', '/auth/login']]]);
});

test('a tab that slept keeps its address for the same user, and leaves it to no other', async () => {
  const replace = (to: string) => void went.push(to);
  vi.stubGlobal('location', { ...location, replace });
  let type = 'navigate';
  vi.stubGlobal(
    'PerformanceNavigationTiming',
    class {
      type = type;
    },
  );
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(() => [new PerformanceNavigationTiming()]);
  const page = async (opened: 'navigate' | 'reload') => {
    vi.resetModules();
    type = opened;
    return import('#lib/other-user.ts');
  };
  expect((await page('navigate')).leftToOther('ayşe')).toBe(false);
  expect([(await page('reload')).leftToOther('ayşe'), went]).toEqual([false, []]);
  expect([(await page('reload')).leftToOther('burak'), went]).toEqual([true, ['/']]);
  // The page that was shown before another tab told of the change.
  const now = await page('navigate');
  expect([now.leftToOther('burak'), await mustLeave()]).toEqual([false, false]);
  expect([now.leftToOther('ayşe'), await mustLeave(), went]).toEqual([true, true, ['/', '/']]);
  // A link that the other user opens in this tab.
  expect((await page('navigate')).leftToOther('burak')).toBe(false);
});

test('another user keeps an address that they opened themselves', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('history', { replaceState });
  vi.stubGlobal('location', { search: '?next=%2Fdevices' });
  for (const id of ['ayşe', 'burak']) tab.signIn({ token: id, user: { id } });
  expect(replaceState).not.toHaveBeenCalled();
});
