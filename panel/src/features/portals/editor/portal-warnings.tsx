import type { Portal } from '@portico/contract/portals.ts';
import { useTranslation } from 'react-i18next';
import { usePortal } from '#features/portals/portals.api.ts';
import { Notice } from '#ui/notice.tsx';

/** Warns about problems of a portal's guests, such as a missing sign-in method. */
export function PortalWarnings({ portal }: { portal: Portal }) {
  const { t } = useTranslation('portal-editor');
  return portal.warnings.map(warning => (
    <Notice
      key={warning}
      tone="warn"
      title={t(warning === 'agreement_language' ? 'warning.languages' : 'warning.title')}
    >
      {t(`warning.${warning}`, { location: portal.location?.name ?? portal.name })}
    </Notice>
  ));
}

/** The same for screens that do not edit the portal. */
export function PortalWarningsOf({ portalId }: { portalId: string }) {
  const portal = usePortal(portalId).data?.data;
  return portal ? <PortalWarnings portal={portal} /> : null;
}
