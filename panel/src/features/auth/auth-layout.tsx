import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Arcade } from '#features/auth/arcade.tsx';
import classes from '#features/auth/auth.module.css';
import { language } from '#lib/language.ts';
import { tenant } from '#lib/tenant.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';
import { Logo } from '#ui/logo.tsx';

interface Props {
  title: string;
  lead?: string | undefined;
  children: ReactNode;
}

/** The frame of every screen before sign-in: the form, and the tenant's picture with its title and description. */
export function AuthLayout({ title, lead, children }: Props) {
  useTranslation();
  const { brand, landing, login } = tenant();
  const now = language();
  const picture = login.image.src ?? landing.background;
  const slogan = login.title[now] || landing.title[now] || brand.long_name;
  const description = login.description[now] || landing.description[now];
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <header className={classes.top}>
          <Logo src={landing.logo.src} name={brand.name} />
          <div className={classes.tools}>
            <LanguageSwitcher />
            <ColorSchemeToggle />
          </div>
        </header>
        <main className={classes.main}>
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </main>
        <footer className={classes.foot}>
          {landing.bottom.image.src && <img src={landing.bottom.image.src} alt="" height={24} />}
          {landing.bottom.copyright[now] || `© ${new Date().getFullYear()} ${brand.long_name || brand.name}`}
        </footer>
      </div>
      <aside className={classes.art}>
        {picture ? <img className={classes.picture} src={picture} alt="" /> : <Arcade />}
        <div className={classes.words} data-over={picture ? 'picture' : undefined}>
          <p className={classes.slogan}>{slogan}</p>
          {description && <p className={classes.description}>{description}</p>}
        </div>
      </aside>
    </div>
  );
}
