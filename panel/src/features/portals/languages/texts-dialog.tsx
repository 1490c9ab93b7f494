import { Button, Group, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { flatTexts, guestTexts } from '@portico/contract/guest-texts/flat.ts';
import { tr } from '@portico/contract/guest-texts/tr.ts';
import { ownLanguageLimits } from '@portico/contract/own-language-limits.ts';
import { type OwnLanguage, textProblem } from '@portico/contract/portal-page.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textAttributes } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/languages/own-languages.module.css';
import { groupOf, groups } from '#features/portals/languages/text-groups.ts';
import modal from '#ui/modal.module.css';

const turkish = flatTexts(tr);
/** Longer texts get more than one line. */
const long = 60;

/** The texts of the guests' pages in an added language, each below the text that it translates. */
export function TextsDialog({
  language,
  readOnly,
  onChange,
  onClose,
}: {
  language: OwnLanguage;
  readOnly: boolean;
  onChange: (texts: Record<string, string>) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation(['portal-editor', 'common']);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(language.texts);
  const [search, setSearch] = useState('');
  // The texts that were missing when the switch was turned on, so that none vanishes while the user writes it.
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null);
  const [tried, setTried] = useState(false);
  const reference = i18n.language === 'tr' ? turkish : guestTexts;
  const keys = [...guestTexts.keys()];
  const lacking = keys.filter(key => !texts[key]?.trim());
  const wrong = keys.filter(key => textProblem(key, texts[key]?.trim() ?? ''));
  const words = search.trim().toLocaleLowerCase(i18n.language);
  const shown = keys.filter(
    key =>
      (!only || only.has(key)) &&
      (!words ||
        `${reference.get(key)} ${texts[key] ?? ''}`.toLocaleLowerCase(i18n.language).includes(words) ||
        (tried && wrong.includes(key))),
  );
  const done = () => {
    setTried(true);
    if (wrong.length) {
      setOnly(new Set(wrong));
      setSearch('');
      return;
    }
    const kept = keys.flatMap(key => (texts[key]?.trim() ? [[key, texts[key].trim()] as const] : []));
    onChange(Object.fromEntries(kept));
    onClose();
  };
  const inputOf = (key: string) => {
    const label = reference.get(key) ?? key;
    const props = {
      label,
      value: texts[key] ?? '',
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget;
        setTexts(before => ({ ...before, [key]: value }));
      },
      maxLength: ownLanguageLimits.text,
      readOnly,
      error: tried && wrong.includes(key) && t('own.placeholders'),
      ...textAttributes(language.tag),
    };
    return label.length > long ? <Textarea key={key} rows={3} {...props} /> : <TextInput key={key} {...props} />;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('own.textsOf', { name: language.name })}
      size={760}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      closeOnClickOutside={false}
      classNames={modal}
    >
      <p className={modal.text}>{t('own.textsHelp')}</p>
      <div className={classes.filter}>
        <TextInput
          aria-label={t('own.search')}
          placeholder={t('own.search')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={t('own.onlyMissing', { count: lacking.length })}
          checked={only !== null}
          onChange={event => setOnly(event.currentTarget.checked ? new Set(lacking) : null)}
        />
      </div>
      {groups.map(group => {
        const inGroup = shown.filter(key => groupOf(key) === group);
        return (
          inGroup.length > 0 && (
            <section key={group} aria-label={t(`own.group.${group}`)}>
              <h3 className={classes.group}>{t(`own.group.${group}`)}</h3>
              <div className={classes.texts}>{inGroup.map(inputOf)}</div>
            </section>
          )
        );
      })}
      {shown.length === 0 && <p role="status">{t('own.noneFound')}</p>}
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {readOnly ? t('common:close') : t('common:cancel')}
        </Button>
        {!readOnly && <Button onClick={done}>{t('own.done')}</Button>}
      </Group>
    </Modal>
  );
}
