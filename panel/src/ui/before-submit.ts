import { type RefObject, useEffect, useRef } from 'react';

/**
 * Asks a field before its form is sent, also one with `noValidate`. Unless `isGood`, nothing is sent and the field gets the
 * focus: a text that is no date is no value, so the form itself does not know it.
 */
export function useBeforeSubmit(field: RefObject<HTMLInputElement | null>, isGood: () => boolean): void {
  const latest = useRef(isGood);
  latest.current = isGood;
  useEffect(() => {
    const ask = (event: Event) => {
      if (!field.current || event.target !== field.current.form || latest.current()) return;
      // The first of several such fields.
      if (!event.defaultPrevented) field.current.focus();
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('submit', ask, true);
    return () => removeEventListener('submit', ask, true);
  }, [field]);
}
