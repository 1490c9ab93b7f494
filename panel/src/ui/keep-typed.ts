import isEqual from 'fast-deep-equal';
import { type RefObject, useLayoutEffect, useRef } from 'react';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob);

/**
 * The new stored values, with what the user has typed meanwhile. A field counts as typed if it differs from every one of
 * `known`: the values that the form started with and those of its last save. A list is one field.
 */
export function keepTyped<Value>(typed: Value, known: readonly unknown[], stored: Value): Value {
  if (known.some(it => isEqual(it, typed))) return stored;
  if (!isFields(typed) || !isFields(stored)) return typed;
  const before = known.filter(isFields);
  const names = Object.keys({ ...typed, ...stored }).filter(name => name in typed || !before.some(it => name in it));
  const fields = names.map(name => {
    const value = name in typed ? typed[name] : stored[name];
    return [
      name,
      keepTyped(
        value,
        before.map(it => it[name]),
        stored[name],
      ),
    ] as const;
  });
  return Object.fromEntries(fields.filter(([name, value]) => name in stored || value !== undefined)) as Value;
}

interface Options<Values> {
  /** Changes with the stored values, such as their `updated_at`. Without it, the form keeps its first values. */
  version: string | number | undefined;
  stored: Values;
  read: () => Values;
  /**
   * Gets the new stored values, and those that the form shows: with what was typed since the last version. `isOwn`: they
   * are of the form's own save.
   */
  onNewVersion: (stored: Values, shown: Values, isOwn: boolean) => void;
}

interface StoredValues<Values> {
  /** The values that an untouched form shows. */
  start: RefObject<Values>;
  /** To be called with the values that a save sends. Until it ends, no new version changes the form. */
  beginSave: (values: Values) => void;
  endSave: (isSaved: boolean) => void;
}

/**
 * Brings new stored values into an open form, after its own save or the save of another user. Later input stays, so that a
 * save that takes long, fails or is answered late loses nothing.
 */
export function useStoredValues<Values>(options: Options<Values>): StoredValues<Values> {
  const latest = useRef(options);
  const start = useRef(options.stored);
  const seen = useRef(options.version);
  const sent = useRef<Values>(undefined);
  const saving = useRef(false);
  const adopt = () => {
    const { version, stored, read, onNewVersion } = latest.current;
    if (saving.current || seen.current === version) return;
    const isOwn = sent.current !== undefined;
    const shown = keepTyped(read(), isOwn ? [start.current, sent.current] : [start.current], stored);
    seen.current = version;
    start.current = stored;
    sent.current = undefined;
    onNewVersion(stored, shown, isOwn);
  };
  useLayoutEffect(() => {
    latest.current = options;
    adopt();
  });
  return {
    start,
    beginSave: values => {
      saving.current = true;
      sent.current = values;
    },
    endSave: isSaved => {
      saving.current = false;
      if (!isSaved) sent.current = undefined;
      adopt();
    },
  };
}
