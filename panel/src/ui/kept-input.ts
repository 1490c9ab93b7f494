import i18next from 'i18next';
import { type RefObject, useEffect, useRef } from 'react';
import { loadTexts } from '#lib/i18n.ts';
import { endedByServer, typedKey } from '#lib/session.ts';
import { toastSuccess } from '#lib/toast.ts';
import { toastAfterReload } from '#lib/toast-after-reload.ts';
import { useUser } from '#lib/user.ts';

/** The input of a user in the moment when the server ended the session. This tab keeps it until the same user signs in again. */
interface Kept {
  user: string;
  at: number;
  forms: { path: string; initial: string; values: object }[];
}

const maxAgeMs = 3_600_000;

/** Secrets and files are not kept. */
const withoutSecrets = (key: string, value: unknown): unknown => {
  if (/password|secret|headers/i.test(key) && typeof value === 'string') return '';
  return value instanceof Blob ? null : value;
};

function read(user: string): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(typedKey) ?? '') as Kept;
    if (kept.user === user && Date.now() - kept.at < maxAgeMs) return kept;
  } catch {
    // Nothing was kept.
  }
  sessionStorage.removeItem(typedKey);
  return { user, at: Date.now(), forms: [] };
}

function write(kept: Kept): void {
  try {
    sessionStorage.setItem(typedKey, JSON.stringify(kept, withoutSecrets));
  } catch {
    // The storage of the tab is full.
  }
}

interface TypedForm {
  getValues(): object;
  setValues(values: object): void;
  isDirty(): boolean;
}

/**
 * Keeps the typed values of a form when the server ends the session (401). After the next sign-in they are in the same form
 * again. It is the same form on the same page if it starts with the same values.
 */
export function useKeptInput(form: TypedForm, start: RefObject<object>): void {
  const { id: user } = useUser();
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const path = location.pathname;
    const initial = () => JSON.stringify(start.current, withoutSecrets);
    const kept = read(user);
    const found = kept.forms.find(it => it.path === path && it.initial === initial());
    if (found) {
      write({ ...kept, forms: kept.forms.filter(it => it !== found) });
      latest.current.setValues(found.values);
    }
    void loadTexts('unsaved').then(() => found && toastSuccess(i18next.t('unsaved:restored')));
    const keep = () => {
      if (!endedByServer() || !latest.current.isDirty()) return;
      const values = latest.current.getValues();
      const others = read(user).forms;
      write({ user, at: Date.now(), forms: [...others, { path, initial: initial(), values }] });
      toastAfterReload({ words: i18next.t('unsaved:kept'), user });
    };
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [user, start]);
}
