import { expect, onTestFinished, test, vi } from 'vitest';
import { closeUndo, shownFor, toastSuccess, toastUndo } from '#lib/toast.ts';

test('an error is shown for 3000 ms, also with a list of messages', () => {
  const toast = { id: 1, text: 'Some fields need your attention.' };
  expect(shownFor({ ...toast, kind: 'error', details: [] })).toBe(3000);
  expect(shownFor({ ...toast, kind: 'error', details: ['Name: This field is required.'] })).toBe(3000);
  expect(shownFor({ ...toast, kind: 'success', details: [] })).toBe(3000);
  expect(shownFor({ ...toast, kind: 'success', details: ['Saved.', 'Guests cannot sign in.'] })).toBe(8000);
  expect(shownFor({ ...toast, kind: 'success', details: [], undo: () => undefined })).toBe(10_000);
});

test('another location takes away what can be undone, and no other message', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const isShown = () => vi.getTimerCount() > 0;
  toastSuccess('Customer added');
  closeUndo();
  expect(isShown()).toBe(true);
  toastUndo('Paused', [], () => undefined);
  expect(isShown()).toBe(true);
  closeUndo();
  expect(isShown()).toBe(false);
});
