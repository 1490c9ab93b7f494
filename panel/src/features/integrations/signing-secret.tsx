import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HandoverValues } from '#features/integrations/handover-values.tsx';
import { useRotateSecret } from '#features/integrations/integrations.api.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** The secret is shown only once, and so is a new one. */
export function SigningSecret({ id }: { id: string }) {
  const { t } = useTranslation(['integrations', 'common']);
  const rotate = useRotateSecret(id);
  const [asking, setAsking] = useState(false);
  const made = rotate.data?.data;
  return (
    <Card title={t('webhook.secret')} description={t('webhook.secretHelp')}>
      {made && (
        <>
          <HandoverValues made={{ secret: made.secret, redirect_uri: null, hook_url: null }} />
          <p>{t('webhook.oldUntil', { time: formatDateTime(made.old_until) })}</p>
        </>
      )}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('webhook.rotate')}
      </Button>
      {asking && (
        <Confirm
          opened
          title={t('webhook.rotateTitle')}
          text={t('webhook.rotateText')}
          confirm={t('webhook.rotate')}
          cancel={t('common:cancel')}
          pending={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
