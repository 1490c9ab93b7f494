import { TagsInput } from '@mantine/core';
import { formatMac } from '@portico/contract/mac.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  label: string;
  description: string;
  value: string[];
  onChange: (macs: string[]) => void;
  error?: ReactNode;
}

const complete = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;

/** MAC addresses as tags, typed one by one or pasted as a list in any notation. */
export function MacTags({ label, description, value, onChange, error }: Props) {
  const { t } = useTranslation('locations');
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState('');
  const change = (tags: string[]) => {
    const macs = tags.map(formatMac);
    const bad = tags.find((_, i) => !complete.test(macs[i] ?? ''));
    onChange([...new Set(macs.filter(mac => complete.test(mac)))]);
    setWrong(bad ?? '');
    // Invalid entries stay in the input for correction.
    if (bad) queueMicrotask(() => setTyped(bad));
  };
  return (
    <TagsInput
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={value.length === 0 ? 'A1:B2:C3:D4:E5:F6' : ''}
      splitChars={[',', ';', ' ', '\n', '\t']}
      maxTags={1000}
      acceptValueOnBlur
      clearable
      value={value}
      onChange={change}
      searchValue={typed}
      onSearchChange={text => {
        setTyped(text);
        if (text !== wrong) setWrong('');
      }}
      error={wrong ? t('session.macWrong', { mac: wrong }) : error}
    />
  );
}
