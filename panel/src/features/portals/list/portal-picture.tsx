import type { ListedPortal } from '@portico/contract/portals.ts';
import classes from '#features/portals/list/portal-picture.module.css';
import { tenant } from '#lib/tenant.ts';

/** A portal's design in small. Decorative: the name stands beside it. */
export function PortalPicture({ design }: { design: ListedPortal['design'] }) {
  const { layout, background_type, background_image, background_art, background_color } = design;
  const art = background_art && `${tenant().captive_url}/assets/art-${background_art}.svg`;
  const picture = background_type === 'color' ? null : (background_image ?? art);
  const card = design.form_background_color;
  const plain = layout === 'split' || layout === 'banner';
  return (
    <svg className={classes.picture} viewBox="0 0 72 48" aria-hidden="true">
      <rect width={72} height={48} fill={plain ? card : background_color} />
      <svg {...places[layout].picture}>
        <rect width="100%" height="100%" fill={background_color} />
        {picture && <image href={picture} width="100%" height="100%" preserveAspectRatio="xMidYMid slice" />}
      </svg>
      <g transform={`translate(${places[layout].card})`}>
        {!plain && <rect width={26} height={34} rx={3} fill={card} />}
        {design.portal_logo ? (
          <image href={design.portal_logo} x={5} y={3} width={16} height={7} />
        ) : (
          <circle cx={13} cy={7} r={3.2} fill={design.primary_color} />
        )}
        <rect x={5} y={13} width={16} height={2.4} rx={1} fill={design.welcome_message_text_color} />
        <rect x={4} y={18} width={18} height={4} rx={1} fill="none" stroke="#8b93a1" strokeWidth={0.6} />
        <rect
          x={4}
          y={24.5}
          width={18}
          height={4.4}
          rx={design.button_shape === 'pill' ? 2.2 : design.button_shape === 'square' ? 0 : 1}
          fill={design.primary_color}
        />
      </g>
    </svg>
  );
}

const whole = { width: 72, height: 48 };
const places = {
  card: { picture: whole, card: '23 7' },
  split: { picture: { width: 38, height: 48 }, card: '42 7' },
  sheet: { picture: whole, card: '23 14' },
  banner: { picture: { width: 72, height: 15 }, card: '23 12' },
} as const;
