import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { helpAddress } from '#lib/help-address.ts';

/** The question mark that opens the manual’s page about the screen. */
export function HelpLink() {
  const { t } = useTranslation('shell');
  const href = useLocation({ select: it => helpAddress(it.pathname, it.search.tab) });
  return (
    <ActionIcon
      component="a"
      href={href}
      target="_blank"
      variant="subtle"
      color="gray"
      size={36}
      aria-label={t('help')}
      title={t('help')}
    >
      <IconHelp size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
