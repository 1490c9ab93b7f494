import { Switch, Textarea } from '@mantine/core';
import { type MarketingChannel, marketingChannels, marketingKeys } from '@portico/contract/consent-kinds.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { suggestedMarketing } from '@portico/contract/suggested-consents.ts';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { hasText, textAttributes } from '#features/portals/fields/portal-languages.ts';
import layout from '#ui/form-layout.module.css';

type Texts = Record<(typeof marketingKeys)[MarketingChannel], PerLanguage>;

interface Props {
  texts: Texts;
  onChange: (key: keyof Texts, texts: PerLanguage) => void;
}

const isOn = (texts: PerLanguage): boolean => Object.values(texts).some(hasText);
const emptied = (texts: PerLanguage): PerLanguage => Object.fromEntries(Object.keys(texts).map(it => [it, '']));

/** The boxes for news and offers: a switch and a sentence for each channel. Without a sentence the channel is off. */
export function MarketingFields({ texts, onChange }: Props) {
  const { t } = useTranslation('portal-editor');
  const { language, readOnly } = useEditor();
  return (
    <fieldset className={layout.whole} disabled={readOnly}>
      <div className={layout.fields}>
        {marketingChannels.map(channel => {
          const key = marketingKeys[channel];
          const on = isOn(texts[key]);
          return (
            <div key={channel}>
              <Switch
                label={t(`marketing.${channel}`)}
                checked={on}
                onChange={event =>
                  onChange(key, event.currentTarget.checked ? suggestedMarketing[channel] : emptied(texts[key]))
                }
              />
              {on && (
                <Textarea
                  mt="xs"
                  label={t('marketing.sentence')}
                  maxLength={500}
                  autosize
                  minRows={2}
                  {...textAttributes(language)}
                  value={texts[key][language] ?? ''}
                  onChange={event => onChange(key, { ...texts[key], [language]: event.currentTarget.value })}
                />
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
