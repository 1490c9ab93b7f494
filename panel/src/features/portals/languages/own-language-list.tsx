import { ActionIcon, Button, Group } from '@mantine/core';
import { guestTexts } from '@portico/contract/guest-texts/flat.ts';
import type { OwnLanguage } from '@portico/contract/portal-page.ts';
import { IconLanguage, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/languages/own-languages.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';

const TextsDialog = lazyPart(() => import('#features/portals/languages/texts-dialog.tsx'), 'TextsDialog');

const missingIn = ({ texts }: OwnLanguage): number => [...guestTexts.keys()].filter(key => !texts[key]).length;

interface Props {
  own: readonly OwnLanguage[];
  readOnly: boolean;
  onChange: (own: OwnLanguage[]) => void;
  onRemove: (tag: string) => void;
}

/** The added languages, each with the number of texts that it lacks. */
export function OwnLanguageList({ own, readOnly, onChange, onRemove }: Props) {
  const { t } = useTranslation('portal-editor');
  const [open, setOpen] = useState<string | null>(null);
  const edited = own.find(it => it.tag === open);
  return (
    <>
      <ul className={classes.list}>
        {own.map(it => (
          <li key={it.tag}>
            <span>
              <bdi>{it.name}</bdi> <code>{it.tag}</code>
              <small>{missingIn(it) ? t('own.missing', { count: missingIn(it) }) : t('own.complete')}</small>
            </span>
            <Group gap={4} wrap="nowrap">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconLanguage size={16} aria-hidden />}
                onClick={() => setOpen(it.tag)}
                aria-label={t('own.textsOf', { name: it.name })}
              >
                {t('own.texts')}
              </Button>
              {!readOnly && (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size={30}
                  onClick={() => onRemove(it.tag)}
                  aria-label={t('own.remove', { name: it.name })}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {edited && (
        <TextsDialog
          language={edited}
          readOnly={readOnly}
          onChange={texts => onChange(own.map(it => (it.tag === edited.tag ? { ...it, texts } : it)))}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
