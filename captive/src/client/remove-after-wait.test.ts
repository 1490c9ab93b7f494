import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeAfterWait } from './remove-after-wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a notice goes after its seconds, keeps its space, and no longer describes a field', () => {
  const notice = { dataset: { wait: '42' }, style: { visibility: '' } };
  const removed: string[] = [];
  removeAfterWait(notice, () => [{ removeAttribute: name => void removed.push(name) }]);
  vi.advanceTimersByTime(41_999);
  expect([notice.style.visibility, removed]).toEqual(['', []]);
  vi.advanceTimersByTime(1);
  expect([notice.style.visibility, removed]).toEqual(['hidden', ['aria-describedby', 'aria-invalid']]);
});
