import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  label: string;
  value?: string[];
  onChange?: (words: string[]) => void;
  error?: ReactNode;
}

/** Ingredients or allergens as tags. A comma or Enter ends a tag. */
export function TagField(props: Props) {
  const { t } = useTranslation();
  return (
    <TagsInput
      {...props}
      maxTags={50}
      splitChars={[',', ';', '\n']}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  );
}
