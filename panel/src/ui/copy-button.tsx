import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '#ui/use-copy.ts';

/** `label` names the copied value for screen readers. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = useCopy();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const words = copied ? t('copied') : `${t('copy')}: ${label}`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      onClick={async () => setCopied(await copy(value))}
      aria-label={words}
      title={words}
    >
      {copied ? <IconCheck size={16} color="var(--good)" aria-hidden /> : <IconCopy size={16} aria-hidden />}
    </ActionIcon>
  );
}
