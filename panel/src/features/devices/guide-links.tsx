import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconBook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from '#features/devices/setup.module.css';

/** The brand's guides, each opened beside the work it is for. */
export function GuideLinks({ device }: { device: DeviceDetail }) {
  return (
    <ul className={classes.guides}>
      {device.brand.guides.map(guide => (
        <li key={guide.id}>
          <Link to="/guides/$slug" params={{ slug: guide.slug }} search={{ device: device.id }} target="_blank">
            <IconBook size={16} aria-hidden />
            {guide.title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
