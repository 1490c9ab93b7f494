import { Modal } from '@mantine/core';
import type { AuditEntry } from '@portico/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/audit/audit.module.css';
import { flat, isLimit, isTime, labelled, withTimes } from '#features/audit/changed-values.ts';
import { useAuditWords } from '#features/audit/use-audit-words.ts';
import { formatDateTime, formatExact } from '#lib/format.ts';
import { useUser } from '#lib/user.ts';
import { Facts } from '#ui/facts.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import modal from '#ui/modal.module.css';

/** One entry with the values before and after. Secrets were masked when it was recorded. */
export function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { t } = useTranslation(['audit', 'common', 'limit']);
  const limitText = useLimitText();
  const { locations } = useUser();
  const words = useAuditWords();
  const { user, subject, location } = entry;
  const zone = locations.find(({ id }) => id === location?.id)?.time_zone;
  const text = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (isLimit(value)) return limitText(value, t('off'));
    if (isTime(value)) return formatDateTime(value, zone);
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(text).join(', ');
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  /** Personal values are not recorded, only the names of their fields. */
  const shown = (field: string, value: unknown): string => {
    if (field === 'by' && value === 'command line') return t('commandLine');
    return text(field === 'personal' && Array.isArray(value) ? value.map(it => words.field(String(it))) : value);
  };
  const [before, after] = [new Map(flat(entry.before)), new Map(flat(entry.after))];
  const fields = [...new Set([...before.keys(), ...after.keys()])].filter(
    field => text(before.get(field)) !== text(after.get(field)),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={`${words.kind(subject.type)}: ${withTimes(subject.name, zone)}`}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <Facts
        facts={[
          { label: t('verbLabel'), value: words.verb(entry.verb, subject.type) },
          { label: t('who'), value: user.name ? `${user.name} (${user.email})` : user.email },
          { label: t('when'), value: formatExact(entry.created_at) },
          { label: t('ip'), value: entry.ip ?? '–' },
          ...(location ? [{ label: t('location'), value: location.name ?? t('deletedLocation') }] : []),
        ]}
      />
      {fields.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.changes}>
            <caption className="visually-hidden">{t('changes')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('field')}</th>
                {entry.before && <th scope="col">{t('before')}</th>}
                {entry.after && <th scope="col">{t('after')}</th>}
              </tr>
            </thead>
            <tbody>
              {fields.map(field => (
                <tr key={field}>
                  <th scope="row">{labelled(field, words.field)}</th>
                  {entry.before && <td>{shown(field, before.get(field))}</td>}
                  {entry.after && <td>{shown(field, after.get(field))}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  );
}
