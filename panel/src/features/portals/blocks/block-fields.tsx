import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { always, pictureShapes } from '@portico/contract/block-kinds.ts';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BlocksForm, hasTiming } from '#features/portals/blocks/block-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import fields from '#features/portals/fields/fields.module.css';
import { PictureField } from '#features/portals/fields/picture-field.tsx';
import { anyText, nameIn, textAttributes } from '#features/portals/fields/portal-languages.ts';
import { RichText } from '#features/portals/texts/rich-text.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';

// Few blocks have times, and their fields need a calendar.
const BlockTimes = lazyPart(() => import('#features/portals/blocks/block-times.tsx'), 'BlockTimes', 'in-place');

export interface BlockPartProps {
  form: BlocksForm;
  block: PortalBlock;
  /** The path of the block in the form. */
  at: string;
}

/** Sets a field of a block, and clears the errors of the field and of the block's texts. */
export function setterOf({ errors, setErrors, getInputProps }: BlocksForm, at: string) {
  return (key: string, value: unknown) => {
    const path = `${at}.${key}`;
    const parent = path.replace(/\.\w+$/, '');
    getInputProps(path).onChange(value);
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => name !== path && name !== parent)));
  };
}

/** The content of a block, and when it is shown. */
export function BlockFields({ form, block, at, beforeSignIn }: BlockPartProps & { beforeSignIn: boolean }) {
  return (
    <>
      <Content form={form} block={block} at={at} beforeSignIn={beforeSignIn} />
      <Schedule form={form} block={block} at={at} />
    </>
  );
}

const below = ['label', 'input', 'description', 'error'] as const;

function Content({ form, block, at, beforeSignIn }: BlockPartProps & { beforeSignIn: boolean }) {
  const { t } = useTranslation('portal-blocks');
  const { portal, language, readOnly } = useEditor();
  const { errors, getInputProps } = form;
  const set = setterOf(form, at);
  if (block.kind === 'advertisement') return <p className={fields.help}>{t('advertisementHelp')}</p>;
  if (block.kind === 'text') {
    const path = `${at}.texts.${language}`;
    return (
      <RichText
        key={path}
        label={`${t('field.texts')}, ${nameIn(portal.page.own_languages, language)}`}
        value={block.texts[language] ?? ''}
        onChange={html => set(`texts.${language}`, html)}
        error={errors[path] ?? errors[`${at}.texts`]}
        small
      />
    );
  }
  if (block.kind === 'picture')
    return (
      <>
        <PictureField
          label={t('field.image')}
          description={t('pictureHelp')}
          collection="content"
          value={block.image || null}
          onChange={url => set('image', url ?? '')}
          error={errors[`${at}.image`]}
        />
        <ChoiceField
          label={t('field.shape')}
          options={pictureShapes.map(value => ({ value, label: t(`shapes.${value}`) }))}
          disabled={readOnly}
          {...getInputProps(`${at}.shape`)}
        />
        <TextInput
          key={language}
          label={t('field.alt')}
          description={t('altHelp')}
          inputWrapperOrder={[...below]}
          maxLength={200}
          {...textAttributes(language)}
          {...getInputProps(`${at}.alt.${language}`)}
          value={block.alt[language] ?? ''}
        />
      </>
    );
  return (
    <>
      <TextInput
        key={language}
        label={t('field.label')}
        withAsterisk
        maxLength={60}
        placeholder={anyText(block.label, language)}
        {...textAttributes(language)}
        value={block.label[language] ?? ''}
        onChange={event => set(`label.${language}`, event.currentTarget.value)}
        error={errors[`${at}.label.${language}`] ?? errors[`${at}.label`]}
      />
      {block.kind === 'button' ? (
        <TextInput
          label={t('field.url')}
          description={t(beforeSignIn ? 'urlBefore' : 'urlHelp')}
          inputWrapperOrder={[...below]}
          withAsterisk
          type="url"
          inputMode="url"
          placeholder="https://www.example.com"
          maxLength={2000}
          {...getInputProps(`${at}.url`)}
        />
      ) : block.kind === 'survey' ? (
        <NativeSelect
          label={t('field.survey_id')}
          description={t('surveyHelp')}
          inputWrapperOrder={[...below]}
          data={portal.surveys.map(({ id, name }) => ({ value: id, label: name }))}
          withAsterisk
          {...getInputProps(`${at}.survey_id`)}
        />
      ) : (
        <p className={fields.help}>{t('menuHelp')}</p>
      )}
    </>
  );
}

/** When a block is shown. */
function Schedule({ form, block, at }: BlockPartProps) {
  const { t } = useTranslation('portal-blocks');
  const { getInputProps } = form;
  const [asked, setAsked] = useState(false);
  const isOn = asked || hasTiming(block);
  const toggle = (on: boolean) => {
    setAsked(on);
    if (!on) getInputProps(at).onChange({ ...block, ...always });
  };
  return (
    <>
      <Switch label={t('schedule')} checked={isOn} onChange={event => toggle(event.currentTarget.checked)} />
      {isOn && <BlockTimes form={form} block={block} at={at} />}
    </>
  );
}
