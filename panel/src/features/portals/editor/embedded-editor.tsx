import type { Portal } from '@portico/contract/portals.ts';
import { type ReactNode, useCallback, useState } from 'react';
import { PortalWorkspace } from '#features/portals/editor/portal-workspace.tsx';
import { useReadOnly } from '#features/portals/editor/use-read-only.ts';
import { previewAddress, usePortal } from '#features/portals/portals.api.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  portalId: string;
  compact?: boolean;
  /** The form. It gets a function that shows the preview on narrow screens. */
  children: (showPreview: () => void) => ReactNode;
}

/** Edits the published portal inside another screen. */
export function EmbeddedEditor({ portalId, ...rest }: Props) {
  const query = usePortal(portalId);
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Loaded key={portalId} portal={query.data.data} {...rest} /> : <FormSkeleton fields={6} />;
}

function Loaded({ portal, compact, children }: Omit<Props, 'portalId'> & { portal: Portal }) {
  const readOnly = useReadOnly(portal);
  const [shown, setShown] = useState(false);
  const show = useCallback(() => setShown(true), []);
  return (
    <PortalWorkspace
      portal={portal}
      readOnly={readOnly}
      previewSrc={previewAddress(portal.id)}
      previewShown={shown}
      onHidePreview={() => setShown(false)}
      drafts={false}
      compact={compact ?? false}
    >
      {children(show)}
    </PortalWorkspace>
  );
}
