import { useTranslation } from 'react-i18next';
import { changeLanguage } from '#lib/i18n.ts';
import { language } from '#lib/language.ts';
import classes from '#ui/language-switcher.module.css';

/** Both languages by their own names, so that users can find theirs. `short` is for narrow places. */
const names = { en: 'English', tr: 'Türkçe' } as const;

export function LanguageSwitcher({ onChange, short }: { onChange?: () => void; short?: boolean }) {
  const { t } = useTranslation();
  const now = language();
  return (
    <fieldset className={classes.switcher}>
      <legend className="quietly">{t('language')}</legend>
      {(['tr', 'en'] as const).map(code => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={now === code}
          aria-label={short ? `${code.toUpperCase()} ${names[code]}` : undefined}
          title={names[code]}
          onClick={() => void changeLanguage(code).then(onChange)}
        >
          {short ? code.toUpperCase() : names[code]}
        </button>
      ))}
    </fieldset>
  );
}
