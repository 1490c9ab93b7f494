import { ActionIcon, Button, Modal, Select } from '@mantine/core';
import { type Desk, type SheetQuery, sheetSizes } from '@portico/contract/qr-menu.ts';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeskCodes, useDownloadSheet } from '#features/qr-menu/qr-menu.api.ts';
import classes from '#features/qr-menu/qr-menu.module.css';
import { formatNumber } from '#lib/format.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';
import { RelativeTime } from '#ui/relative-time.tsx';

/** The QR codes of a row of tables: printable sheets, links and scan counts. */
export function DeskCodes({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { t } = useTranslation(['qr-menu', 'common']);
  const codes = useDeskCodes(desk.id);
  const [size, setSize] = useState<SheetQuery['size']>('medium');
  const sheet = useDownloadSheet(desk);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('codes.title', { name: desk.title })}
      size={620}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <div className={classes.sheet}>
        <Select
          label={t('codes.size')}
          data={sheetSizes.map(value => ({ value, label: t(`codes.${value}`) }))}
          value={size}
          onChange={value => value && setSize(value)}
          allowDeselect={false}
        />
        <Button
          leftSection={<IconDownload size={16} />}
          loading={sheet.isPending}
          onClick={() => sheet.mutate({ format: 'pdf', size })}
        >
          {t('codes.pdf')}
        </Button>
      </div>
      <p className={classes.hint}>{t('codes.help')}</p>
      {codes.isError && <LoadError error={codes.error} onRetry={() => void codes.refetch()} />}
      {codes.isLoading && <FormSkeleton fields={4} />}
      {codes.data && (
        <table className={classes.codes}>
          <thead>
            <tr>
              <th scope="col">{t('codes.desk')}</th>
              <th scope="col">{t('codes.scans')}</th>
              <th scope="col">{t('codes.last')}</th>
              <th scope="col">
                <span className="quietly">{t('codes.open')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {codes.data.data.map(code => (
              <tr key={code.number}>
                <td>{code.name}</td>
                <td>{formatNumber(code.scans)}</td>
                <td>{code.last_scanned_at ? <RelativeTime time={code.last_scanned_at} /> : '–'}</td>
                <td>
                  <div className={classes.codeActions}>
                    <CopyButton value={code.url} label={code.name} />
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={28}
                      component="a"
                      href={code.url}
                      target="_blank"
                      rel="noreferrer"
                      aria-label={`${t('codes.open')}: ${code.name}`}
                      title={t('codes.open')}
                    >
                      <IconExternalLink size={16} aria-hidden />
                    </ActionIcon>
                    <Button
                      variant="subtle"
                      color="gray"
                      size="compact-sm"
                      aria-label={`SVG: ${code.name}`}
                      onClick={() => sheet.mutate({ format: 'svg', size, number: code.number })}
                    >
                      SVG
                    </Button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  );
}
