import { useTranslation } from 'react-i18next';
import { type CardProps, StyleColour } from '#features/portals/design/style-colour.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const colours = [
  'primary_color',
  'secondary_color',
  'form_background_color',
  'border_color',
  'alert_color',
  'warning_color',
  'info_color',
  'success_color',
] as const;

export function ColoursCard({ form, weak }: CardProps) {
  const { t } = useTranslation('portal-editor');
  // While the background is a gradient, the background card shows this colour.
  const shown = colours.filter(key => key !== 'secondary_color' || form.values.styles.color_type !== 'gradient');
  return (
    <Card title={t('colours')} description={t('coloursHelp')}>
      <div className={layout.two}>
        {shown.map(key => (
          <StyleColour key={key} form={form} weak={weak} name={key} />
        ))}
      </div>
    </Card>
  );
}
