import { Autocomplete, Button, Group, Modal, TextInput } from '@mantine/core';
import { ownLanguageLimits } from '@portico/contract/own-language-limits.ts';
import { isShipped } from '@portico/contract/portal-languages.ts';
import { type OwnLanguage, ownLanguageTag } from '@portico/contract/portal-page.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textAttributes } from '#features/portals/fields/portal-languages.ts';
import { nameFor, ownNameOf, suggested } from '#features/portals/languages/language-names.ts';
import { folded } from '#lib/folded.ts';
import layout from '#ui/form-layout.module.css';
import modal from '#ui/modal.module.css';

/** Asks for the tag of a language and its name. */
export function AddLanguageDialog({
  taken,
  onAdd,
  onClose,
}: {
  taken: readonly string[];
  onAdd: (it: OwnLanguage) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation(['portal-editor', 'common']);
  const [tag, setTag] = useState('');
  const [name, setName] = useState<string>();
  const [tried, setTried] = useState(false);
  const shownName = name ?? ownNameOf(tag);
  const tagProblem = !ownLanguageTag.safeParse(tag).success
    ? t('own.tagFormat')
    : isShipped(tag) || taken.includes(tag)
      ? t('own.tagTaken')
      : undefined;
  const nameProblem = shownName.trim() ? undefined : t('own.nameMissing');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form of the tab is around this dialog in React's tree.
    event.stopPropagation();
    setTried(true);
    if (tagProblem || nameProblem) return;
    onAdd({ tag, name: shownName.trim(), texts: {} });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('own.add')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <form onSubmit={submit} noValidate>
        <div className={layout.fields}>
          <Autocomplete
            label={t('own.tag')}
            description={t('own.tagHelp')}
            data={suggested.filter(it => !taken.includes(it))}
            renderOption={({ option }) => (
              <span>
                <bdi>{ownNameOf(option.value)}</bdi> · {nameFor(i18n.language, option.value)}{' '}
                <code>{option.value}</code>
              </span>
            )}
            filter={({ options, search }) => {
              const words = folded(search.trim());
              const namesOf = (it: string) => `${it} ${ownNameOf(it)} ${nameFor(i18n.language, it)}`;
              return options.filter(it => 'value' in it && folded(namesOf(it.value)).includes(words));
            }}
            value={tag}
            onChange={setTag}
            maxLength={25}
            error={tried && tagProblem}
            openOnFocus={false}
            data-autofocus
          />
          <TextInput
            label={t('own.name')}
            description={t('own.nameHelp')}
            value={shownName}
            onChange={event => setName(event.currentTarget.value)}
            maxLength={ownLanguageLimits.name}
            error={tried && nameProblem}
            {...(tagProblem ? {} : textAttributes(tag))}
          />
        </div>
        <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit">{t('own.addButton')}</Button>
        </Group>
      </form>
    </Modal>
  );
}
