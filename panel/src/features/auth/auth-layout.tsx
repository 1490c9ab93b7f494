import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/auth/auth.module.css';
import { AuthFrame } from '#features/auth/auth-frame.tsx';
import { tenant } from '#lib/tenant.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';

interface Props {
  title: string;
  lead?: string | undefined;
  children: ReactNode;
}

/** The layout of all screens before sign-in: the form next to the tenant's picture, title and description. */
export function AuthLayout({ title, lead, children }: Props) {
  useTranslation();
  return (
    <AuthFrame
      branding={tenant()}
      tools={
        <>
          <LanguageSwitcher />
          <ColorSchemeToggle />
        </>
      }
    >
      <title>{`${title} · ${tenant().brand.name}`}</title>
      <main className={classes.main}>
        <h1 className={classes.title}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </main>
    </AuthFrame>
  );
}
