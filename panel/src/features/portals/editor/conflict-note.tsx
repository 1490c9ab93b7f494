import { Button } from '@mantine/core';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Base } from '#features/portals/editor/use-base.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Notice } from '#ui/notice.tsx';

const CompareDialog = lazyPart(() => import('#features/portals/compare/compare-dialog.tsx'), 'CompareDialog');

const noteId = 'portal-conflict';

/** Scrolls to the note, which is above a form of several screens. */
export function showConflict(): void {
  const note = document.getElementById(noteId);
  note?.focus({ preventScroll: true });
  note?.scrollIntoView({ block: 'center' });
}

interface Props extends Pick<Base, 'base' | 'takeTheirs' | 'keepMine'> {
  theirs: Portal;
  /** The values of the form. */
  mine: () => PortalForm;
}

/** Tells that another person has changed the portal since the form was filled. The unsaved changes are still in the form. */
export function ConflictNote({ base, theirs, mine, takeTheirs, keepMine }: Props) {
  const { t } = useTranslation('portal-editor');
  const [comparing, setComparing] = useState<PortalForm>();
  const values = { name: theirs.updated_by?.full_name ?? '', time: formatDateTime(theirs.updated_at) };
  return (
    <div id={noteId} tabIndex={-1}>
      <Notice
        tone="warn"
        title={t(theirs.updated_by ? 'conflict.title' : 'conflict.titleUnknown', values)}
        action={
          <>
            <Button variant="default" onClick={() => setComparing(mine())}>
              {t('conflict.compare')}
            </Button>
            <Button variant="default" onClick={takeTheirs}>
              {t('conflict.theirs')}
            </Button>
            <Button onClick={keepMine}>{t('conflict.mine')}</Button>
          </>
        }
      >
        {t('conflict.text')}
      </Notice>
      {comparing && (
        <CompareDialog
          title={t('conflict.compareTitle')}
          before={base}
          sides={[
            { label: t('conflict.theirSide'), portal: theirs },
            { label: t('conflict.mySide'), portal: comparing },
          ]}
          onClose={() => setComparing(undefined)}
        />
      )}
    </div>
  );
}
