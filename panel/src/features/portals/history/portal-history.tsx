import { Button, Modal } from '@mantine/core';
import type { PortalVersion } from '@portico/contract/portals.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRestoreVersion, useVersions } from '#features/portals/editor/portal-drafts.api.ts';
import { ComparedVersion } from '#features/portals/history/compared-version.tsx';
import classes from '#features/portals/history/portal-history.module.css';
import { useDraftAddress } from '#features/portals/portals.api.ts';
import { formatDateTime, formatNumber } from '#lib/format.ts';
import { Confirm } from '#ui/confirm.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';
import { Pagination } from '#ui/pagination.tsx';
import { Tag } from '#ui/tag.tsx';

interface Props {
  portalId: string;
  readOnly: boolean;
  /** The form has unsaved changes, which a remount would lose. */
  dirty: boolean;
  onClose: () => void;
}

/** The published versions, newest first, each of which can be restored. */
export function PortalHistory({ portalId, readOnly, dirty, onClose }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const [page, setPage] = useState(1);
  const versions = useVersions(portalId, page);
  const restore = useRestoreVersion(portalId);
  const [chosen, setChosen] = useState<PortalVersion>();
  const [compared, setCompared] = useState<PortalVersion>();
  /** The button that opened the last dialog. The focus returns to it. */
  const [opener, setOpener] = useState('');
  const returns = (name: string) => ({ 'data-autofocus': opener === name || undefined });
  const address = useDraftAddress(portalId);
  const { data, error } = versions;
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={t('history.title')}
        size={620}
        closeButtonProps={{ 'aria-label': t('common:close') }}
        classNames={modal}
        trapFocus={!chosen && !compared}
        closeOnEscape={!chosen && !compared}
      >
        <p className={modal.text}>{t(dirty && !readOnly ? 'history.saveFirst' : 'history.help')}</p>
        {error && !data && <LoadError error={error} onRetry={() => void versions.refetch()} />}
        {!error && !data && <FormSkeleton fields={4} />}
        {data?.data.length === 0 && <p className={modal.text}>{t('history.empty')}</p>}
        <ol className={classes.versions} aria-label={t('history.title')}>
          {data?.data.map(version => (
            <Version key={version.id} version={version}>
              <Button
                component="a"
                href={address && `${address}&version=${version.id}`}
                target="_blank"
                rel="noopener"
                variant="subtle"
                size="compact-sm"
                aria-label={t('history.viewOne', { number: formatNumber(version.number) })}
              >
                {t('history.view')}
              </Button>
              {!version.current && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t('history.compareOne', { number: formatNumber(version.number) })}
                  {...returns(`compare ${version.id}`)}
                  onClick={() => {
                    setOpener(`compare ${version.id}`);
                    setCompared(version);
                  }}
                >
                  {t('conflict.compare')}
                </Button>
              )}
              {version.current ? (
                <Tag tone="good">{t('history.current')}</Tag>
              ) : (
                !readOnly && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    disabled={dirty}
                    aria-label={t('history.restoreOne', { number: formatNumber(version.number) })}
                    {...returns(`restore ${version.id}`)}
                    onClick={() => {
                      setOpener(`restore ${version.id}`);
                      setChosen(version);
                    }}
                  >
                    {t('history.restore')}
                  </Button>
                )
              )}
            </Version>
          ))}
        </ol>
        {data && data.meta.last_page > 1 && <Pagination meta={data.meta} onPage={setPage} />}
      </Modal>
      {compared && <ComparedVersion portalId={portalId} version={compared} onClose={() => setCompared(undefined)} />}
      {chosen && (
        <Confirm
          opened
          title={t('history.restoreTitle', { number: formatNumber(chosen.number) })}
          text={t('history.restoreText', { time: formatDateTime(chosen.created_at) })}
          confirm={t('history.restore')}
          cancel={t('common:cancel')}
          pending={restore.isPending}
          onConfirm={() =>
            restore.mutate(chosen, {
              onSuccess: () => {
                setChosen(undefined);
                setPage(1);
              },
            })
          }
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

function Version({ version, children }: { version: PortalVersion; children: React.ReactNode }) {
  const { t } = useTranslation('portal-editor');
  const { number, name, changes, published_by, created_at } = version;
  const what = changes.map(part => t(`history.part.${part}`)).join(', ') || t('history.first');
  return (
    <li className={classes.version}>
      <span className={classes.number}>{formatNumber(number)}</span>
      <div>
        <strong>{formatDateTime(created_at)}</strong>
        <p>
          {published_by ? `${published_by.full_name} · ` : ''}
          {what}
        </p>
        {changes.includes('name') && <p>{name}</p>}
      </div>
      <span className={classes.actions}>{children}</span>
    </li>
  );
}
