import { type FormEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor, usePreviewed } from '#features/portals/editor-context.ts';
import fields from '#features/portals/fields.module.css';
import { LanguageTabs } from '#features/portals/language-tabs.tsx';
import { MethodCard } from '#features/portals/method-card.tsx';
import { type MethodsValues, methodTexts, previewedMethods } from '#features/portals/method-values.ts';
import classes from '#features/portals/methods.module.css';
import { missingIn } from '#features/portals/portal-languages.ts';
import { useUpdatePortal } from '#features/portals/portals.api.ts';
import { moved, SortableList } from '#features/portals/sortable-list.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function MethodsPage() {
  const { portal } = useEditor();
  return <MethodsForm key={portal.updated_at} />;
}

function MethodsForm() {
  const { t } = useTranslation('portal-editor');
  const { portal, readOnly, language, setLanguage } = useEditor();
  const update = useUpdatePortal(portal.id);
  const keys = Object.values(methodTexts).flat();
  const initial: MethodsValues = {
    providers: portal.providers,
    messages: Object.fromEntries(keys.map(key => [key, portal.messages[key]])) as MethodsValues['messages'],
  };
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).methodsPortal,
    initial,
    submit: values => update.mutateAsync(values),
  });
  const { values, errors, setFieldValue } = form;
  usePreviewed(
    { type: 'portico:provider-changed', providers: previewedMethods(values.providers) },
    { type: 'portico:provider-changed', providers: portal.providers },
  );
  usePreviewed(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: initial.messages },
  );

  const [open, setOpen] = useState<string>();
  const wrong = Object.keys(errors).find(key => key.startsWith('providers.'));
  const wrongSlug = wrong && values.providers[Number(wrong.split('.')[1])]?.slug;
  // Before the first error gets the focus, the card that holds it is opened.
  useLayoutEffect(() => {
    if (wrongSlug) setOpen(wrongSlug);
  }, [wrongSlug]);

  const root = element.ref;
  // The contract drops a requirement without a code in silence; here the code is asked for.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const i = values.providers.findIndex(
      ({ options }) => options.require_security_code && !options.security_code?.trim(),
    );
    if (i < 0) return element.onSubmit(event);
    event.preventDefault();
    form.setErrors({ [`providers.${i}.options.security_code`]: t('codeMissing') });
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const move = (from: number, to: number) => {
    form.clearErrors();
    setFieldValue(
      'providers',
      moved(values.providers, from, to).map((it, order) => ({ ...it, order })),
    );
  };
  const none = !values.providers.some(it => it.is_active);
  return (
    <form {...element} onSubmit={submit}>
      <Card title={t('tab.methods')} description={t('methodsHelp')}>
        <div className={fields.translated}>
          <span className={fields.help}>{t('textLanguage')}</span>
          <LanguageTabs
            label={t('textLanguage')}
            value={language}
            onChange={setLanguage}
            missing={missingIn(Object.values(values.messages))}
          />
        </div>
        {none && (
          <p className={classes.none} role="status">
            {t('noMethod')}
          </p>
        )}
        <fieldset className={layout.whole} disabled={readOnly}>
          <div className={classes.methods}>
            <SortableList
              label={t('tab.methods')}
              items={values.providers}
              keyOf={it => it.slug}
              nameOf={it => t(`method.${it.slug}`)}
              onMove={move}
              disabled={readOnly}
            >
              {(provider, index, handle) => (
                <MethodCard
                  form={form}
                  provider={provider}
                  index={index}
                  handle={handle}
                  open={open === provider.slug}
                  onToggle={() => setOpen(open === provider.slug ? undefined : provider.slug)}
                />
              )}
            </SortableList>
          </div>
        </fieldset>
      </Card>
      <SaveBar dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
