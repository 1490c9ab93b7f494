import { useEffect, useState } from 'react';

/** How long an answer may take before its screen shows that it waits, in milliseconds. */
const patience = 200;

/**
 * Whether something has been waited for that long. Most answers come sooner: a list that is dimmed at once flickers, and
 * painting it dimmed delays the picture that answers a click.
 */
export function useSlow(waits: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waits]);
  return waits && isSlow;
}
