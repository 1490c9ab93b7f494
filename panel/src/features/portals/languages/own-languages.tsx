import { Button } from '@mantine/core';
import { ownLanguageLimits } from '@portico/contract/own-language-limits.ts';
import type { OwnLanguage } from '@portico/contract/portal-page.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/languages/own-languages.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';

// Few portals have languages of their own, and the list needs all texts of the guests' pages.
const OwnLanguageList = lazyPart(
  () => import('#features/portals/languages/own-language-list.tsx'),
  'OwnLanguageList',
  'in-place',
);
const AddLanguageDialog = lazyPart(
  () => import('#features/portals/languages/add-language-dialog.tsx'),
  'AddLanguageDialog',
);

/** The languages that the owner has added. */
export function OwnLanguages({ form, readOnly }: { form: GeneralForm; readOnly: boolean }) {
  const { t } = useTranslation('portal-editor');
  const { language, setLanguage } = useEditor();
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
  if (readOnly && !own.length) return null;
  return (
    <div>
      <b className={classes.title}>{t('own.title')}</b>
      <p className={classes.help}>{t('own.help')}</p>
      {own.length > 0 && <OwnLanguageList own={own} readOnly={readOnly} onChange={change} onRemove={remove} />}
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
    </div>
  );
}
