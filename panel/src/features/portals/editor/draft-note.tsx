import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDiscardDraft, usePublishDraft } from '#features/portals/editor/portal-drafts.api.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Notice } from '#ui/notice.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  portalId: string;
  since: string | null;
  readOnly: boolean;
  /** The form has unsaved changes, which a remount would lose. */
  dirty: boolean;
}

/** Informs that guests do not see the draft yet, with buttons to publish or discard it. */
export function DraftNote({ portalId, since, readOnly, dirty }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const publish = usePublishDraft(portalId);
  const discard = useDiscardDraft(portalId);
  const [asking, setAsking] = useState(false);
  const busy = publish.isPending || discard.isPending;
  return (
    <>
      <Notice
        tone="info"
        title={t('draft.title')}
        action={
          !readOnly && (
            <>
              <Button variant="default" disabled={dirty || busy} onClick={() => setAsking(true)}>
                {t('draft.discard')}
              </Button>
              <Button disabled={dirty || busy} loading={publish.isPending} onClick={() => publish.mutate()}>
                {t('draft.publish')}
              </Button>
            </>
          )
        }
      >
        {dirty && !readOnly
          ? t('draft.saveFirst')
          : [since && t('draft.since', { time: formatDateTime(since) }), t('draft.looking')].filter(Boolean).join(' ')}
      </Notice>
      {asking && (
        <Confirm
          opened
          title={t('draft.discardTitle')}
          text={t('draft.discardText')}
          confirm={t('draft.discard')}
          cancel={t('common:cancel')}
          danger
          pending={discard.isPending}
          onConfirm={() => discard.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
