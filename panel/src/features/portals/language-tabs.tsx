import type { PortalLanguage } from '@portico/contract/errors.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/language-tabs.module.css';
import { languageNames, languages } from '#features/portals/portal-languages.ts';

interface Props {
  label: string;
  value: PortalLanguage;
  onChange: (language: PortalLanguage) => void;
  /** Languages in which something is still to be translated. */
  missing?: readonly PortalLanguage[];
}

/** The five languages of a portal, as radio buttons: arrow keys move between them. */
export function LanguageTabs({ label, value, onChange, missing = [] }: Props) {
  const { t } = useTranslation('portal-editor');
  const name = useId();
  return (
    <div className={classes.tabs} role="radiogroup" aria-label={label}>
      {languages.map(language => {
        const lacks = missing.includes(language);
        return (
          <label key={language} title={lacks ? `${languageNames[language]}: ${t('missing')}` : languageNames[language]}>
            <input
              type="radio"
              name={name}
              checked={language === value}
              onChange={() => onChange(language)}
              aria-label={lacks ? `${languageNames[language]}, ${t('missing')}` : languageNames[language]}
            />
            <span aria-hidden="true">{language.toUpperCase()}</span>
            {lacks && <i aria-hidden="true" />}
          </label>
        );
      })}
    </div>
  );
}
