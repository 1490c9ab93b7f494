import type { PortalView } from '@portico/contract/guests.ts';
import type { ReactNode } from 'react';
import { followsDevice } from '../theme.ts';

/** The portal's logo, or `otherwise` if it has none or hides it. */
export function Brand({ portal, name, otherwise }: { portal: PortalView | null; name: string; otherwise?: ReactNode }) {
  const styles = portal?.styles;
  const logo = styles?.logo_type === 'active' ? styles.portal_logo : null;
  if (!styles || !logo) return otherwise ? <div className="brand">{otherwise}</div> : null;
  const { dark_logo } = styles;
  const picture = <img src={(styles.color_scheme === 'dark' && dark_logo) || logo} alt={name} />;
  return (
    <div className={styles.logo_background_color ? 'brand band' : 'brand'}>
      {dark_logo && followsDevice(styles) ? (
        <picture>
          <source srcSet={dark_logo} media="(prefers-color-scheme:dark)" />
          {picture}
        </picture>
      ) : (
        picture
      )}
    </div>
  );
}
