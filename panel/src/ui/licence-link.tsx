import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';

/** A button to the licence, for users who may give one, or to the request for one. */
export function LicenceLink({ give }: { give: { to: string; search?: Record<string, string> } | undefined }) {
  const { t } = useTranslation('licence-state');
  const can = useCan();
  const here = useLocation({ select: ({ pathname }) => pathname });
  if (here === give?.to) return null;
  if (give)
    return (
      <Button size="xs" variant="default" renderRoot={props => <Link {...give} {...props} />}>
        {t('give')}
      </Button>
    );
  if (!can('update-location') || can('create-location')) return null;
  return (
    <Button size="xs" variant="default" renderRoot={props => <Link to="/onboarding/subscribe" {...props} />}>
      {t('ask')}
    </Button>
  );
}
