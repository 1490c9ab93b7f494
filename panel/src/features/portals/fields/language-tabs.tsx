import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/fields/language-tabs.module.css';
import { languagesOf, type Missing, nameIn } from '#features/portals/fields/portal-languages.ts';
import { formatNumber } from '#lib/format.ts';

interface Props {
  label: string;
  value: PortalLanguage;
  onChange: (language: PortalLanguage) => void;
  /** Number of missing translations by language. */
  missing?: Missing;
}

/** The languages that a portal offers, as radio buttons: arrow keys move between them. */
export function LanguageTabs({ label, value, onChange, missing }: Props) {
  const { t } = useTranslation('portal-editor');
  const name = useId();
  const { languages: offered, own_languages: own } = useEditor().portal.page;
  return (
    <div className={classes.tabs} role="radiogroup" aria-label={label}>
      {languagesOf(own)
        .filter(it => offered.includes(it) || it === value)
        .map(language => {
          const lacks = missing?.get(language);
          const words = lacks
            ? `${nameIn(own, language)}, ${t('missingCount', { count: lacks })}`
            : nameIn(own, language);
          return (
            <label key={language} title={words}>
              <input
                type="radio"
                name={name}
                checked={language === value}
                onChange={() => onChange(language)}
                aria-label={words}
              />
              <span aria-hidden="true">{language.toUpperCase()}</span>
              {lacks && <i aria-hidden="true">{formatNumber(lacks)}</i>}
            </label>
          );
        })}
    </div>
  );
}
