import { Switch, Textarea, TextInput } from '@mantine/core';
import type { Provider } from '@portico/contract/portal-providers.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { textAttributes } from '#features/portals/fields/portal-languages.ts';
import { type MethodsForm, methodTexts } from '#features/portals/sign-in/method-values.ts';
import classes from '#features/portals/sign-in/methods.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import layout from '#ui/form-layout.module.css';

const MethodOptions = lazyPart(
  () => import('#features/portals/sign-in/method-options.tsx'),
  'MethodOptions',
  'in-place',
);

interface Props {
  form: MethodsForm;
  provider: Provider;
  index: number;
  handle: ReactNode;
  /** Whether the location has this method. */
  available: boolean;
  open: boolean;
  onToggle: () => void;
}

export function MethodCard({ form, provider, index, handle, available, open, onToggle }: Props) {
  const { t } = useTranslation('portal-editor');
  const { portal, language } = useEditor();
  const bodyId = useId();
  const name = t(`method.${provider.slug}`);
  const [title, info] = methodTexts[provider.slug];
  return (
    <div className={classes.method} data-on={provider.is_active || undefined}>
      <div className={classes.head}>
        {handle}
        <Switch
          label={name}
          checked={provider.is_active}
          onChange={event => form.setFieldValue(`providers.${index}.is_active`, event.currentTarget.checked)}
        />
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={bodyId}
          aria-label={t('methodOptions', { name })}
          onClick={onToggle}
        >
          <span aria-hidden="true">{t('options')}</span>
          <IconChevronDown size={16} aria-hidden />
        </button>
      </div>
      {!available && <p className={classes.notGiven}>{t('notGiven', { location: portal.location?.name })}</p>}
      <div id={bodyId} className={classes.body} hidden={!open}>
        <div className={layout.fields}>
          <p className={classes.what}>{t(`methodHelp.${provider.slug}`)}</p>
          <TextInput
            label={t('methodTitle')}
            maxLength={200}
            {...textAttributes(language)}
            {...form.getInputProps(`messages.${title}.${language}`)}
          />
          <Textarea
            label={t('methodInfo')}
            autosize
            minRows={2}
            maxLength={1000}
            {...textAttributes(language)}
            {...form.getInputProps(`messages.${info}.${language}`)}
          />
          <MethodOptions form={form} provider={provider} index={index} />
        </div>
      </div>
    </div>
  );
}
