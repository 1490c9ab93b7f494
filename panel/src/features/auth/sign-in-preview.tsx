import { Button, TextInput, useComputedColorScheme } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import type { TenantConfig } from '@portico/contract/auth.ts';
import type { CSSProperties } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthFrame } from '#features/auth/auth-frame.tsx';
import preview from '#features/auth/sign-in-preview.module.css';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { accentOn } from '#lib/colour.ts';
import { PasswordField } from '#ui/password-field.tsx';

interface Props {
  branding: Pick<TenantConfig, 'brand' | 'landing' | 'login'>;
  label: string;
}

/** The accent variables as tokens.css sets them. */
function accent(primary: string, dark: boolean): CSSProperties {
  const tones = accentOn(primary, dark ? '#161b22' : '#ffffff');
  const own = Object.fromEntries(Object.entries(tones).map(([tone, colour]) => [`--accent-${tone}`, colour]));
  return {
    ...own,
    '--mantine-color-brand-filled': tones.fill,
    '--mantine-primary-color-filled': tones.fill,
    '--mantine-color-anchor': tones.text,
  } as CSSProperties;
}

/** A small, inert copy of the sign-in screen. */
export function SignInPreview({ branding, label }: Props) {
  const { t } = useAuthTexts();
  const { ref, width } = useElementSize();
  const isNarrow = useMediaQuery('(max-width: 900px)') ?? false;
  const dark = useComputedColorScheme('light') === 'dark';
  const size = isNarrow ? { width: 390, height: 720 } : { width: 1280, height: 800 };
  const scale = width / size.width;
  return (
    <div ref={ref} className={preview.window} style={{ height: size.height * scale }} role="img" aria-label={label}>
      <div
        className={preview.screen}
        style={{ ...accent(branding.brand.primary_color, dark), ...size, transform: `scale(${scale})` }}
        inert
      >
        <AuthFrame branding={branding}>
          <div className={classes.main}>
            <p className={classes.title}>{t('login.title')}</p>
            <p className={classes.lead}>{t('login.lead', { name: branding.brand.name })}</p>
            <div className={classes.form}>
              <TextInput label={t('email')} readOnly />
              <PasswordField label={t('password')} readOnly />
              <Button fullWidth mt={4}>
                {t('login.submit')}
              </Button>
            </div>
          </div>
        </AuthFrame>
      </div>
    </div>
  );
}
