import { useTranslation } from 'react-i18next';
import { changeLanguage } from '#lib/i18n.ts';
import { language } from '#lib/language.ts';
import classes from '#ui/language-switcher.module.css';

/** Both languages by their own names: whoever does not read one finds the other. */
const names = { en: 'English', tr: 'Türkçe' } as const;

export function LanguageSwitcher({ onChange }: { onChange?: () => void }) {
  const { t } = useTranslation();
  const now = language();
  return (
    <fieldset className={classes.switcher}>
      <legend className="quietly">{t('language')}</legend>
      {(['en', 'tr'] as const).map(code => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={now === code}
          aria-label={`${code.toUpperCase()} ${names[code]}`}
          title={names[code]}
          onClick={() => void changeLanguage(code).then(onChange)}
        >
          {code.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}
