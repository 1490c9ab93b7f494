import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { Portal } from '@portico/contract/portals.ts';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { EditorContext } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/editor/portal-editor.module.css';
import narrow from '#features/portals/editor/portal-part.module.css';
import { previewAddress, usePortal } from '#features/portals/portals.api.ts';
import { Preview } from '#features/portals/preview/preview.tsx';
import { usePreviewFrame } from '#features/portals/preview/use-preview-frame.ts';
import { language as panelLanguage } from '#lib/language.ts';
import { useCan } from '#lib/permissions.ts';
import { useUser } from '#lib/user.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  portalId: string;
  /** Beside other things: the preview is drawn smaller. */
  compact?: boolean;
  /** The form; it is handed what shows the preview where there is no room for it beside. */
  children: (showPreview: () => void) => ReactNode;
}

/** A portal's form and its preview side by side, outside the editor's own screen. */
export function PortalWorkplace({ portalId, ...rest }: Props) {
  const query = usePortal(portalId);
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Workplace key={portalId} portal={query.data.data} {...rest} /> : <FormSkeleton fields={6} />;
}

function Workplace({ portal, compact, children }: Omit<Props, 'portalId'> & { portal: Portal }) {
  const mayUpdate = useCan()('update-portals');
  const { role } = useUser();
  const [language, setLanguage] = useState<PortalLanguage>(panelLanguage);
  const [shown, setShown] = useState(false);
  const frame = usePreviewFrame({ portalId: portal.id, src: previewAddress(portal.id), language, drawn: true });
  const readOnly = !mayUpdate || (role === 'member' && portal.location_id === null);
  const { show } = frame;
  const editor = useMemo(
    () => ({ portal, readOnly, language, setLanguage, show, drafts: false }),
    [portal, readOnly, language, show],
  );
  const showPreview = useCallback(() => setShown(true), []);
  return (
    <EditorContext value={editor}>
      <div className={compact ? narrow.workplace : classes.workplace} data-preview>
        <div className={classes.form}>{children(showPreview)}</div>
        <Preview frame={frame} shown={shown} onHide={() => setShown(false)} />
      </div>
    </EditorContext>
  );
}
