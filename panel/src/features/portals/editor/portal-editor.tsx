import { Button, Switch } from '@mantine/core';
import type { Portal } from '@portico/contract/portals.ts';
import { IconDeviceMobile, IconExternalLink, IconHistory } from '@tabler/icons-react';
import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DraftNote } from '#features/portals/editor/draft-note.tsx';
import { useDraft } from '#features/portals/editor/portal-drafts.api.ts';
import classes from '#features/portals/editor/portal-editor.module.css';
import { PortalWarnings } from '#features/portals/editor/portal-warnings.tsx';
import { PortalWorkspace } from '#features/portals/editor/portal-workspace.tsx';
import { ReadOnlyNote } from '#features/portals/editor/read-only-note.tsx';
import { useReadOnly } from '#features/portals/editor/use-read-only.ts';
import { previewAddress, useDraftAddress } from '#features/portals/portals.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const PortalHistory = lazyPart(() => import('#features/portals/history/portal-history.tsx'), 'PortalHistory');

const tabs = ['', '/blocks', '/sign-in-methods', '/surveys', '/rules', '/advertisements', '/advanced'] as const;
const names = ['general', 'blocks', 'methods', 'surveys', 'rules', 'advertisements', 'advanced'] as const;
/** These tabs save each item by itself and have no Save for the whole tab. */
const perItem: readonly string[] = ['/surveys', '/rules', '/advertisements'];
/** The preview shows the sign-in page, so only tabs that change that page have it. */
const previewed: readonly string[] = ['', '/blocks', '/sign-in-methods'];

export function PortalEditor() {
  const { t } = useTranslation(['portal-editor', 'portals']);
  const { portalId } = useParams({ from: '/shell/portals/$portalId/edit' });
  const query = useDraft(portalId);
  const address = useDraftAddress(portalId);
  const [shown, setShown] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [history, setHistory] = useState(false);
  const readOnly = useReadOnly(query.data?.data);
  const base = `/portals/${portalId}/edit`;
  const { pathname } = useLocation();
  const tab = pathname.replace(/\/$/, '').slice(base.length);
  const hasPreview = previewed.includes(tab);
  const parent = { to: '/portals', label: t('portals:title') };
  if (query.error && !query.data)
    return <LoadError error={query.error} onRetry={() => void query.refetch()} parent={parent} />;
  const portal = query.data?.data;
  return (
    <>
      <PageHeader
        title={portal?.name ?? '…'}
        parent={parent}
        tabs={tabs.map((path, i) => ({ to: base + path, label: t(`tab.${names[i] ?? 'general'}`) }))}
      >
        {hasPreview && (
          <Button
            className={classes.showPreview ?? ''}
            variant="default"
            leftSection={<IconDeviceMobile size={16} />}
            onClick={() => setShown(true)}
          >
            {t('preview.show')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setHistory(true)}>
          {t('history.title')}
        </Button>
        <Button
          component="a"
          href={address ?? previewAddress(portalId)}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {t('preview.open')}
        </Button>
      </PageHeader>
      {portal?.has_draft && <DraftNote portalId={portalId} since={portal.draft_at} readOnly={readOnly} dirty={dirty} />}
      {portal && <PortalWarnings portal={portal} />}
      {portal ? (
        <EditorTab
          key={portal.id}
          portal={portal}
          previewSrc={address}
          readOnly={readOnly}
          onDirty={setDirty}
          hasPreview={hasPreview}
          savesPerItem={perItem.includes(tab)}
          previewShown={shown}
          onHidePreview={() => setShown(false)}
        />
      ) : (
        <FormSkeleton fields={6} />
      )}
      {history && (
        <PortalHistory portalId={portalId} readOnly={readOnly} dirty={dirty} onClose={() => setHistory(false)} />
      )}
    </>
  );
}

interface TabProps {
  portal: Portal;
  previewSrc: string | undefined;
  readOnly: boolean;
  onDirty: (dirty: boolean) => void;
  hasPreview: boolean;
  savesPerItem: boolean;
  previewShown: boolean;
  onHidePreview: () => void;
}

/** The open tab beside the preview. */
function EditorTab({ savesPerItem, ...workspace }: TabProps) {
  const { portal, readOnly } = workspace;
  const [toDraft, setToDraft] = useState(false);
  const itemsToDraft = toDraft || portal.has_draft;
  return (
    <PortalWorkspace {...workspace} drafts itemsToDraft={itemsToDraft}>
      <ReadOnlyNote />
      {savesPerItem && !readOnly && (
        <SaveTarget toDraft={itemsToDraft} fixed={portal.has_draft} onChange={setToDraft} />
      )}
      <Outlet />
    </PortalWorkspace>
  );
}

/** Says where tabs that save per item put their changes. A portal that has a draft always keeps them there. */
function SaveTarget({ toDraft, fixed, onChange }: SaveTargetProps) {
  const { t } = useTranslation('portal-editor');
  return (
    <div className={classes.note}>
      <p>{t(toDraft ? 'inDraft' : 'atOnce')}</p>
      {!fixed && (
        <Switch label={t('draft.keep')} checked={toDraft} onChange={event => onChange(event.currentTarget.checked)} />
      )}
    </div>
  );
}

interface SaveTargetProps {
  toDraft: boolean;
  fixed: boolean;
  onChange: (toDraft: boolean) => void;
}
