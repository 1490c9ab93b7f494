import { type FormEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import fields from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing } from '#features/portals/fields/portal-languages.ts';
import { useAvailableMethods } from '#features/portals/portals.api.ts';
import { MethodCard } from '#features/portals/sign-in/method-card.tsx';
import { type MethodsForm, methodKeys } from '#features/portals/sign-in/method-values.ts';
import classes from '#features/portals/sign-in/methods.module.css';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { moved, SortableList } from '#ui/sortable-list.tsx';
import type { ContractForm } from '#ui/use-contract-form.ts';

/** Requires a security code where one is switched on. The contract would silently switch it off. */
export function useRequiredSecurityCode(form: MethodsForm, { ref, onSubmit }: ContractForm<never>['element']) {
  const { t } = useTranslation('portal-editor');
  return (event: FormEvent<HTMLFormElement>) => {
    const i = form.values.providers.findIndex(
      ({ options }) => options.require_security_code && !options.security_code?.trim(),
    );
    if (i < 0) return onSubmit(event);
    event.preventDefault();
    form.setErrors({ [`providers.${i}.options.security_code`]: t('codeMissing') });
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
}

/** The sign-in methods, in the order that guests see. */
export function MethodsFields({ form }: { form: MethodsForm }) {
  const { t } = useTranslation('portal-editor');
  const { portal, readOnly, language, setLanguage } = useEditor();
  const { values, errors, setFieldValue } = form;

  const [open, setOpen] = useState<string>();
  const wrong = Object.keys(errors).find(key => key.startsWith('providers.'));
  const wrongSlug = wrong && values.providers[Number(wrong.split('.')[1])]?.slug;
  // The card with the first error must be open before its field gets the focus.
  useLayoutEffect(() => {
    if (wrongSlug) setOpen(wrongSlug);
  }, [wrongSlug]);

  const move = (from: number, to: number) => {
    form.clearErrors();
    setFieldValue(
      'providers',
      moved(values.providers, from, to).map((it, order) => ({ ...it, order })),
    );
  };
  const available = useAvailableMethods(portal.location_id) ?? [];
  const on = values.providers.filter(it => it.is_active);
  const none = !on.some(it => available.length === 0 || available.includes(it.slug));
  return (
    <Card title={t('tab.methods')} description={t('methodsHelp')}>
      <div className={fields.translated}>
        <span className={fields.help}>{t('textLanguage')}</span>
        <LanguageTabs
          label={`${t('textLanguage')}: ${t('tab.methods')}`}
          value={language}
          onChange={setLanguage}
          missing={countMissing(
            methodKeys.map(key => values.messages[key]),
            portal.page.languages,
          )}
        />
      </div>
      {none && (
        <p className={classes.none} role="status">
          {t(on.length ? 'noGivenMethod' : 'noMethod', { location: portal.location?.name })}
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
                available={available.length === 0 || available.includes(provider.slug)}
                open={open === provider.slug}
                onToggle={() => setOpen(open === provider.slug ? undefined : provider.slug)}
              />
            )}
          </SortableList>
        </div>
      </fieldset>
    </Card>
  );
}
