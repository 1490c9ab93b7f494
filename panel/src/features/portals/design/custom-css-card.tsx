import { Textarea } from '@mantine/core';
import {
  colouredParts,
  cssParts,
  cssProperties,
  cssShadows,
  leastContrast,
  maxCustomCss,
} from '@portico/contract/portal-css.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/design/custom-css-card.module.css';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { useCssProblem } from '#features/portals/design/use-css-problem.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const parts = Object.keys(cssParts).map(it => `.${it}`);
const coloured = colouredParts.map(it => `.${it}`);
const properties = [...Object.keys(cssProperties), 'box-shadow', 'color', 'background-color'].filter(
  it => !/-(top|right|bottom|left|block|inline)\b/.test(it),
);
const example = `.title { letter-spacing: 0.02em }
.button, .second-button { text-transform: uppercase }
@media (min-width: 48rem) { .card { max-width: 640px } }`;

/** CSS of the operator's own for parts of the page. The server checks it when the typing pauses, and the preview shows it once it is right. */
export function CustomCssCard({ form }: { form: GeneralForm }) {
  const { t } = useTranslation('portal-editor');
  const { value, error, ...input } = form.getInputProps('styles.custom_css');
  const problem = useCssProblem(value ?? '');
  return (
    <Card title={t('style.custom_css')} description={t('customCss.description')}>
      <div className={layout.fields}>
        <Textarea
          aria-label={t('style.custom_css')}
          autosize
          minRows={5}
          maxRows={24}
          maxLength={maxCustomCss}
          placeholder={example}
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          dir="ltr"
          classNames={{ input: classes.code }}
          value={value ?? ''}
          {...input}
          error={error ?? problem}
        />
        <details className={classes.help}>
          <summary>{t('customCss.help')}</summary>
          <dl>
            <dt>{t('customCss.parts')}</dt>
            <dd>
              <Codes of={parts} />
            </dd>
            <dt>{t('customCss.states')}</dt>
            <dd>
              <Codes
                of={[
                  ':hover',
                  ':active',
                  ':focus-visible',
                  '@media (min-width: …)',
                  '@media (prefers-color-scheme: dark)',
                ]}
              />
            </dd>
            <dt>{t('customCss.properties')}</dt>
            <dd>
              <Codes of={properties} />
            </dd>
            <dt>{t('customCss.shadows')}</dt>
            <dd>
              {t('customCss.shadowsHelp', {
                card: cssShadows.card.offset,
                offset: cssShadows.other.offset,
                blur: cssShadows.other.blur,
              })}
            </dd>
            <dt>{t('customCss.colours')}</dt>
            <dd>
              {t('customCss.coloursHelp', { ratio: leastContrast })} <Codes of={coloured} />
            </dd>
          </dl>
        </details>
      </div>
    </Card>
  );
}

const Codes = ({ of }: { of: readonly string[] }) =>
  of.map((it, index) => (
    <span key={it}>
      {index > 0 && ' '}
      <code>{it}</code>
    </span>
  ));
