import type { PortalStyles, StyleKey } from '@portico/contract/portal-styles.ts';
import { useEffect, useState } from 'react';
import { withTimeout } from '#lib/with-timeout.ts';

type Check = typeof import('#features/portals/design/contrast.ts')['weakColours'];
export type WeakColours = Partial<Record<StyleKey, number>>;

/** Colours with too little contrast, and their ratio. Loaded after the form, because the schema is large. */
export function useWeakColours(styles: PortalStyles): WeakColours {
  const [check, setCheck] = useState<Check>();
  useEffect(() => {
    let gone = false;
    withTimeout(import('#features/portals/design/contrast.ts')).then(
      ({ weakColours }) => gone || setCheck(() => weakColours),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return check ? check(styles) : {};
}
