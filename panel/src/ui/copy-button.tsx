import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** `label` names the copied value for screen readers. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true));
  const words = copied ? t('copied') : `${t('copy')}: ${label}`;
  return (
    <ActionIcon variant="subtle" color="gray" size={28} onClick={copy} aria-label={words} title={words}>
      {copied ? <IconCheck size={16} color="var(--good)" aria-hidden /> : <IconCopy size={16} aria-hidden />}
    </ActionIcon>
  );
}
