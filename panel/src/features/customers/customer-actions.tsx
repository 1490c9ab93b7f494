import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconArrowsExchange, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSuspendCustomer } from '#features/customers/customers.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { SuspendedNotice } from '#ui/suspended-notice.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');
const TransferCustomer = lazyPart(() => import('#features/customers/transfer.tsx'), 'TransferCustomer');

/** Actions on the whole customer: suspend, resume and transfer. */
export function CustomerActions({ customer, onGone }: { customer: Location; onGone: () => void }) {
  const { t } = useTranslation(['customers', 'common']);
  const [asking, setAsking] = useState<'suspend' | 'hand-over'>();
  const suspend = useSuspendCustomer(customer);
  const close = () => setAsking(undefined);
  return (
    <>
      {!customer.suspended_at && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlayerPause size={15} aria-hidden />}
          onClick={() => setAsking('suspend')}
        >
          {t('suspend.button')}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconArrowsExchange size={15} aria-hidden />}
        onClick={() => setAsking('hand-over')}
      >
        {t('handOver.button')}
      </Button>
      {asking === 'suspend' && (
        <Confirm
          opened
          danger
          title={t('suspend.title', { name: customer.name })}
          text={t('suspend.text')}
          confirm={t('suspend.button')}
          cancel={t('common:cancel')}
          pending={suspend.isPending}
          onConfirm={() => suspend.mutate('suspend', { onSuccess: close })}
          onClose={close}
        />
      )}
      {asking === 'hand-over' && <TransferCustomer customer={customer} onDone={onGone} onClose={close} />}
    </>
  );
}

/** A notice that the service is suspended, with a button to resume it. */
export function SuspendedCustomer({ customer }: { customer: Location }) {
  const { t } = useTranslation('customers');
  const resume = useSuspendCustomer(customer);
  return (
    <SuspendedNotice
      title={t('suspend.notice')}
      location={customer}
      text={{ own: t('suspend.noticeText'), others: t('suspend.noticeAbove') }}
      resume={
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate('resume')}
        >
          {t('suspend.resume')}
        </Button>
      }
    />
  );
}
