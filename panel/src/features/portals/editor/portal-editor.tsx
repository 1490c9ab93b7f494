import { Button, Switch } from '@mantine/core';
import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { Portal } from '@portico/contract/portals.ts';
import { IconDeviceMobile, IconExternalLink, IconHistory } from '@tabler/icons-react';
import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DraftNote } from '#features/portals/editor/draft-note.tsx';
import { EditorContext } from '#features/portals/editor/editor-context.ts';
import { useDraft } from '#features/portals/editor/portal-drafts.api.ts';
import classes from '#features/portals/editor/portal-editor.module.css';
import { previewAddress, useDraftAddress } from '#features/portals/portals.api.ts';
import { Preview } from '#features/portals/preview/preview.tsx';
import { usePreviewFrame } from '#features/portals/preview/use-preview-frame.ts';
import { language as panelLanguage } from '#lib/language.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useUser } from '#lib/user.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const PortalHistory = lazyPart(() => import('#features/portals/history/portal-history.tsx'), 'PortalHistory');

const tabs = ['', '/sign-in-methods', '/surveys', '/rules', '/advertisements', '/advanced'] as const;
const names = ['general', 'methods', 'surveys', 'rules', 'advertisements', 'advanced'] as const;
/** What these tabs change has no Save of the whole tab: each change is made at once, for guests or in the draft. */
const oneByOne: readonly string[] = ['/surveys', '/rules', '/advertisements'];
/** What these tabs change is on the sign-in page, which the preview shows. */
const previewed: readonly string[] = ['', '/sign-in-methods'];

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
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  const portal = query.data?.data;
  return (
    <>
      <PageHeader
        title={portal?.name ?? '…'}
        parent={{ to: '/portals', label: t('portals:title') }}
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
      {portal ? (
        <Workplace
          key={portal.id}
          portal={portal}
          address={address}
          oneByOne={oneByOne.includes(tab)}
          readOnly={readOnly}
          onDirty={setDirty}
          hasPreview={hasPreview}
          shown={shown}
          onHide={() => setShown(false)}
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

/** A portal of no location is everyone's: a member sees it but cannot change it. */
function useReadOnly(portal: Portal | undefined): boolean {
  const mayUpdate = useCan()('update-portals');
  const { role } = useUser();
  return !mayUpdate || (role === 'member' && portal?.location_id === null);
}

interface Props {
  portal: Portal;
  /** Where the preview is found, once that is known. */
  address: string | undefined;
  readOnly: boolean;
  onDirty: (dirty: boolean) => void;
  hasPreview: boolean;
  /** Whether guests are shown each change at once is chosen here. */
  oneByOne: boolean;
  /** On narrow screens the preview lies over the form while it is asked for. */
  shown: boolean;
  onHide: () => void;
}

function Workplace({ portal, address, readOnly, onDirty, hasPreview, oneByOne, shown, onHide }: Props) {
  const [language, setLanguage] = useState<PortalLanguage>(panelLanguage);
  const frame = usePreviewFrame({ portalId: portal.id, src: address, language, drawn: hasPreview });
  const { show } = frame;
  const [keeps, setKeeps] = useState(false);
  const keepItems = keeps || portal.has_draft;
  const editor = useMemo(
    () => ({ portal, readOnly, language, setLanguage, show, drafts: true, keepItems, onDirty }),
    [portal, readOnly, language, show, keepItems, onDirty],
  );
  return (
    <EditorContext value={editor}>
      <div className={classes.workplace} data-preview={hasPreview || undefined}>
        <div className={classes.form}>
          {readOnly ? (
            <ReadOnly />
          ) : (
            oneByOne && <Where keeps={keepItems} fixed={portal.has_draft} onChange={setKeeps} />
          )}
          <Outlet />
        </div>
        {hasPreview && <Preview frame={frame} shown={shown} onHide={onHide} />}
      </div>
    </EditorContext>
  );
}

function ReadOnly() {
  const { t } = useTranslation('portal-editor');
  return <p className={classes.note}>{t('readOnly')}</p>;
}

/** Where changes go on tabs without a Save of their own. Where there is a draft they show its lists: changes are its, too. */
function Where({ keeps, fixed, onChange }: { keeps: boolean; fixed: boolean; onChange: (keeps: boolean) => void }) {
  const { t } = useTranslation('portal-editor');
  return (
    <div className={classes.note}>
      <p>{t(keeps ? 'inDraft' : 'atOnce')}</p>
      {!fixed && (
        <Switch label={t('draft.keep')} checked={keeps} onChange={event => onChange(event.currentTarget.checked)} />
      )}
    </div>
  );
}
