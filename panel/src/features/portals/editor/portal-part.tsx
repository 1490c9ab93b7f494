import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { GeneralPage } from '#features/portals/design/general-page.tsx';
import compact from '#features/portals/editor/compact-editor.module.css';
import type { FootProps } from '#features/portals/editor/draft-bar.tsx';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { EmbeddedEditor } from '#features/portals/editor/embedded-editor.tsx';
import classes from '#features/portals/editor/portal-editor.module.css';
import { ReadOnlyNote } from '#features/portals/editor/read-only-note.tsx';
import { UndoButtons } from '#features/portals/editor/undo-buttons.tsx';
import { MethodsPage } from '#features/portals/sign-in/methods-page.tsx';
import { UnsavedGuard } from '#ui/unsaved-guard.tsx';

interface Props {
  portalId: string;
  part: 'general' | 'methods';
}

/** The design or the sign-in methods of a portal, with Save and the preview, as a tab of another screen. */
export function PortalPart({ portalId, part }: Props) {
  const { t } = useTranslation('portal-editor');
  const Part = part === 'general' ? GeneralPage : MethodsPage;
  return (
    <EmbeddedEditor portalId={portalId} compact>
      {showPreview => (
        <>
          <Button
            className={classes.showPreview ?? ''}
            variant="default"
            mb={12}
            leftSection={<IconDeviceMobile size={16} />}
            onClick={showPreview}
          >
            {t('preview.show')}
          </Button>
          <ReadOnlyNote />
          <Part Foot={SaveFoot} />
        </>
      )}
    </EmbeddedEditor>
  );
}

/** Always visible. Tabs and customers are chosen in the address, so the guard covers changes of the query as well. */
function SaveFoot({ dirty, pending, onDiscard, undo }: FootProps) {
  const { t } = useTranslation('common');
  const { readOnly, onDirty } = useEditor();
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [onDirty, dirty]);
  if (readOnly) return null;
  return (
    <>
      <div className={compact.foot}>
        <UndoButtons undo={undo} disabled={pending} />
        {dirty && (
          <Button variant="default" onClick={onDiscard} disabled={pending}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" disabled={!dirty} loading={pending}>
          {t('save')}
        </Button>
      </div>
      <UnsavedGuard dirty={dirty} pending={pending} byQuery />
    </>
  );
}
