import type { PortalVersion } from '@portico/contract/portals.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CompareDialog } from '#features/portals/compare/compare-dialog.tsx';
import { usePortal } from '#features/portals/portals.api.ts';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { reportError } from '#lib/queries.ts';

interface Props {
  portalId: string;
  version: PortalVersion;
  onClose: () => void;
}

/** The changes for guests if a version is restored. */
export function ComparedVersion({ portalId, version, onClose }: Props) {
  const { t } = useTranslation('portal-editor');
  const current = usePortal(portalId).data?.data;
  const { data, error } = useQuery(queryOf(api.portals.version, { params: { id: portalId, versionId: version.id } }));
  const old = data?.data;
  // Without it, the history would wait for the end of a comparison that is not shown.
  useEffect(() => {
    if (!error || old) return;
    reportError(error);
    onClose();
  }, [error, old, onClose]);
  if (!current || !old) return null;
  const number = formatNumber(version.number);
  return (
    <CompareDialog
      title={t('history.compareOne', { number })}
      beforeLabel={t('history.current')}
      before={current}
      sides={[{ label: t('history.version', { number }), portal: old }]}
      onClose={onClose}
    />
  );
}
