import type { Location } from '@portico/contract/locations.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { PortalWarnings } from '#features/portals/editor/portal-warnings.tsx';
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

interface NewProps extends Omit<Props, 'portalId'> {
  location: Location;
  create: (form: PortalForm) => Promise<unknown>;
}

/** Edits a portal that saving creates. */
export function NewPortalEditor({ location, ...rest }: NewProps) {
  const query = useQuery({
    queryKey: ['unsaved-portal', location.id, location.name, location.available_providers],
    queryFn: async () => (await import('#features/portals/editor/unsaved-portal.ts')).unsavedPortal(location),
  });
  if (query.error) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Loaded portal={query.data} {...rest} /> : <FormSkeleton fields={6} />;
}

interface LoadedProps extends Omit<Props, 'portalId'> {
  portal: Portal;
  create?: NewProps['create'];
}

function Loaded({ portal, compact, create, children }: LoadedProps) {
  const readOnly = useReadOnly(portal) && !create;
  const [shown, setShown] = useState(false);
  const show = useCallback(() => setShown(true), []);
  return (
    <>
      <PortalWarnings portal={portal} />
      <PortalWorkspace
        portal={portal}
        readOnly={readOnly}
        previewSrc={previewAddress(portal.id)}
        previewShown={shown}
        onHidePreview={() => setShown(false)}
        drafts={false}
        compact={compact ?? false}
        create={create}
      >
        {children(show)}
      </PortalWorkspace>
    </>
  );
}
