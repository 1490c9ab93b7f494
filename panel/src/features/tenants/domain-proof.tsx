import { Button, Modal } from '@mantine/core';
import type { Domain } from '@portico/contract/tenants.ts';
import { useTranslation } from 'react-i18next';
import { useCheckDomain } from '#features/tenants/tenants.api.ts';
import classes from '#features/tenants/tenants.module.css';
import { Facts } from '#ui/facts.tsx';
import modal from '#ui/modal.module.css';

/** The DNS record that proves the control of a domain, with a button to check it. */
export function DomainProof({
  domain: { host, record, verified_at, stops_at },
  onClose,
}: {
  domain: Domain;
  onClose: () => void;
}) {
  const { t } = useTranslation(['tenants', 'common']);
  const check = useCheckDomain();
  const isFound = verified_at !== null && stops_at === null;
  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={t('domain.proofTitle', { host })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <div className={classes.proof}>
        <p>{t(isFound ? 'domain.proofDone' : 'domain.proofText', { host })}</p>
        <Facts
          facts={[
            { label: t('domain.recordType'), value: record.type },
            { label: t('domain.recordName'), value: record.name, copy: record.name, code: true },
            { label: t('domain.recordValue'), value: record.value, copy: record.value, code: true },
          ]}
        />
        {!isFound && (
          <>
            <p>{t('domain.checkWait')}</p>
            <Button loading={check.isPending} onClick={() => check.mutate(host, { onSuccess: onClose })}>
              {t('domain.check')}
            </Button>
          </>
        )}
      </div>
    </Modal>
  );
}
