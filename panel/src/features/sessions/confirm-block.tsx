import type { OnlineSession } from '@portico/contract/sessions.ts';
import { useTranslation } from 'react-i18next';
import { useBlock, useEndSession } from '#features/sessions/sessions.api.ts';
import { useCan } from '#lib/permissions.ts';
import { Confirm } from '#ui/confirm.tsx';

/** Confirms the blocking of a MAC address. The session ends as well, if the user may end it. */
export function ConfirmBlock({ session, onClose }: { session: OnlineSession; onClose: () => void }) {
  const { t } = useTranslation(['sessions', 'common']);
  const can = useCan();
  const kick = useEndSession();
  const block = useBlock();
  const confirm = () =>
    block.mutate(session, {
      onSuccess: () => {
        onClose();
        if (can('update-clients')) kick.mutate(session);
      },
    });
  return (
    <Confirm
      opened
      title={t('blockTitle', { mac: session.client_mac ?? '' })}
      text={t('blockText', { device: session.device_name })}
      confirm={t('block')}
      cancel={t('common:cancel')}
      danger
      pending={block.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
