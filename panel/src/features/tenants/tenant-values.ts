import type { TenantConfig } from '@portico/contract/auth.ts';
import type { TenantSettings } from '@portico/contract/tenants.ts';

/** The fields of the settings form: the gradient is split into its two colours. */
export interface TenantValues extends Record<string, unknown> {
  brand_name: string;
  brand_long_name: string;
  primary_color: string;
  landing_logo: string | null;
  landing_background_image: string | null;
  landing_bottom_image: string | null;
  gradient: boolean;
  gradient_from: string;
  gradient_to: string;
  landing_title: Record<string, string>;
  landing_slogan: Record<string, string>;
  landing_copyright: Record<string, string>;
  password_min: number;
  require_second_factor: boolean;
  /** Text, because it is the value of a select. Empty: the time of the installation. */
  idle_minutes: string;
  time_zone: string;
  registration: 'open' | 'invitation';
}

const standardGradient = ['#1b4aa8', '#0b1f4d'] as const;
const standardAngle = '135deg';

export function tenantValues(settings: TenantSettings, languages: readonly string[]): TenantValues {
  const [from, to] = settings.landing_background?.match(/#[0-9a-f]{6}/g) ?? [];
  const texts = (of: Partial<Record<string, string>>) => ({
    ...Object.fromEntries(languages.map(language => [language, ''])),
    ...(of as Record<string, string>),
  });
  return {
    brand_name: settings.brand_name,
    brand_long_name: settings.brand_long_name,
    primary_color: settings.primary_color,
    landing_logo: settings.landing_logo,
    landing_background_image: settings.landing_background_image,
    landing_bottom_image: settings.landing_bottom_image,
    gradient: settings.landing_background !== null,
    gradient_from: from ?? standardGradient[0],
    gradient_to: to ?? from ?? standardGradient[1],
    landing_title: texts(settings.landing_title),
    landing_slogan: texts(settings.landing_slogan),
    landing_copyright: texts(settings.landing_copyright),
    password_min: settings.password_min,
    require_second_factor: settings.require_second_factor,
    idle_minutes: settings.idle_minutes === null ? '' : String(settings.idle_minutes),
    time_zone: settings.time_zone,
    registration: settings.registration,
  };
}

const background = ({ gradient, gradient_from, gradient_to }: TenantValues): string | null =>
  gradient ? `linear-gradient(${standardAngle}, ${gradient_from}, ${gradient_to})` : null;

/** The input of the contract's schema. */
export function tenantInput({ gradient, gradient_from, gradient_to, ...values }: TenantValues) {
  return {
    ...values,
    landing_background: background({ gradient, gradient_from, gradient_to, ...values } as TenantValues),
  };
}

/** The branding for the preview of the sign-in screen. */
export function brandingOf(values: TenantValues): Pick<TenantConfig, 'brand' | 'landing' | 'login'> {
  const title = values.landing_title;
  const description = values.landing_slogan;
  return {
    brand: { name: values.brand_name, long_name: values.brand_long_name, primary_color: values.primary_color },
    landing: {
      logo: { src: values.landing_logo },
      title,
      description,
      background: background(values),
      bottom: { image: { src: values.landing_bottom_image }, copyright: values.landing_copyright },
    },
    login: { image: { src: values.landing_background_image }, title, description },
  };
}
