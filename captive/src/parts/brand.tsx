import type { PortalView } from '@portico/contract/guests.ts';
import type { ReactNode } from 'react';

/** The portal's logo, or `otherwise` if it has none or hides it. */
export function Brand({ portal, name, otherwise }: { portal: PortalView | null; name: string; otherwise?: ReactNode }) {
  const styles = portal?.styles;
  const logo = styles?.logo_type === 'active' ? styles.portal_logo : null;
  if (!logo) return otherwise ? <div className="brand">{otherwise}</div> : null;
  return (
    <div className={styles?.logo_background_color ? 'brand band' : 'brand'}>
      <img src={logo} alt={name} />
    </div>
  );
}
