import { ActionIcon, Button, Group } from '@mantine/core';
import { guestTexts } from '@portico/contract/guest-texts/flat.ts';
import { type OwnLanguage, ownLanguageLimits } from '@portico/contract/portal-page.ts';
import { IconLanguage, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { AddLanguageDialog } from '#features/portals/languages/add-language-dialog.tsx';
import classes from '#features/portals/languages/own-languages.module.css';
import { TextsDialog } from '#features/portals/languages/texts-dialog.tsx';

const missingIn = ({ texts }: OwnLanguage): number => [...guestTexts.keys()].filter(key => !texts[key]).length;

/** The languages that the owner has added, with the number of texts that they lack. */
export function OwnLanguages({ form, readOnly }: { form: GeneralForm; readOnly: boolean }) {
  const { t } = useTranslation('portal-editor');
  const { language, setLanguage } = useEditor();
  const [open, setOpen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const { languages: offered, own_languages: own } = form.values.page;
  const change = (next: OwnLanguage[]) => form.setFieldValue('page.own_languages', next);
  const add = (it: OwnLanguage) => {
    change([...own, it]);
    form.setFieldValue('page.languages', [...offered, it.tag]);
  };
  const remove = (tag: string) => {
    const rest = offered.filter(it => it !== tag);
    change(own.filter(it => it.tag !== tag));
    form.setFieldValue('page.languages', rest.length ? rest : ['en']);
    if (language === tag) setLanguage(rest[0] ?? 'en');
  };
  const edited = own.find(it => it.tag === open);
  if (readOnly && !own.length) return null;
  return (
    <div>
      <b className={classes.title}>{t('own.title')}</b>
      <p className={classes.help}>{t('own.help')}</p>
      {own.length > 0 && (
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
                    onClick={() => remove(it.tag)}
                    aria-label={t('own.remove', { name: it.name })}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {form.errors['page.own_languages'] && <p role="alert">{form.errors['page.own_languages']}</p>}
      {!readOnly && own.length < ownLanguageLimits.languages && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('own.add')}
        </Button>
      )}
      {adding && <AddLanguageDialog taken={own.map(it => it.tag)} onAdd={add} onClose={() => setAdding(false)} />}
      {edited && (
        <TextsDialog
          language={edited}
          readOnly={readOnly}
          onChange={texts => change(own.map(it => (it.tag === edited.tag ? { ...it, texts } : it)))}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
