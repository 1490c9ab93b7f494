import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconBook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/setup/setup.module.css';
import { guideSlugs } from '#features/guides/public.ts';

/** Links to the brand's guides; they open in a new tab. */
export function GuideLinks({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const titleOf = ({ slug, title }: { slug: string; title: string }) => {
    const name = guideSlugs.find(each => each === slug);
    return name ? t(`guide.${name}`) : title;
  };
  return (
    <ul className={classes.guides}>
      {device.brand.guides.map(guide => (
        <li key={guide.id}>
          <Link to="/guides/$slug" params={{ slug: guide.slug }} search={{ device: device.id }} target="_blank">
            <IconBook size={16} aria-hidden />
            {titleOf(guide)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
