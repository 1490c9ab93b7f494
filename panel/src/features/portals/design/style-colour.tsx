import type { StyleKey } from '@portico/contract/portal-styles.ts';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import type { WeakColours } from '#features/portals/design/use-weak-colours.ts';
import { ColourField } from '#features/portals/fields/colour-field.tsx';
import { formatNumber } from '#lib/format.ts';

export interface CardProps {
  form: GeneralForm;
  weak: WeakColours;
}

type ColourKey = Extract<StyleKey, `${string}_color`>;

/** A colour of the portal, with a warning when its contrast is too low. */
export function StyleColour({ form, weak, name, none }: CardProps & { name: ColourKey; none?: string }) {
  const { t } = useTranslation('portal-editor');
  const ratio = weak[name];
  return (
    <ColourField
      label={t(`style.${name}`)}
      warning={ratio === undefined ? undefined : t('weak', { ratio: formatNumber(Math.floor(ratio * 10) / 10) })}
      {...(none && { none })}
      {...form.getInputProps(`styles.${name}`)}
    />
  );
}
