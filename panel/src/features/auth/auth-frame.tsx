import type { TenantConfig } from '@portico/contract/auth.ts';
import type { ReactNode } from 'react';
import { Arcade } from '#features/auth/arcade.tsx';
import classes from '#features/auth/auth.module.css';
import { language } from '#lib/language.ts';
import { Logo } from '#ui/logo.tsx';

interface Props {
  branding: Pick<TenantConfig, 'brand' | 'landing' | 'login'>;
  /** Next to the logo: language and colour scheme. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The tenant's colours, pictures and texts around a form. The tenant settings use it as a preview. */
export function AuthFrame({ branding: { brand, landing, login }, tools, children }: Props) {
  const now = language();
  const picture = login.image.src;
  const badge = landing.bottom.image.src;
  const slogan = login.title[now] || landing.title[now] || brand.long_name;
  const description = login.description[now] || landing.description[now];
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <header className={classes.top}>
          <Logo src={landing.logo.src} name={brand.name} />
          <div className={classes.tools}>{tools}</div>
        </header>
        {children}
        <footer className={classes.foot}>
          {badge && badge !== picture && <img src={badge} alt="" height={24} />}
          {landing.bottom.copyright[now] || `© ${new Date().getFullYear()} ${brand.long_name || brand.name}`}
        </footer>
      </div>
      <aside className={classes.art} style={landing.background ? { background: landing.background } : undefined}>
        {picture ? <img className={classes.picture} src={picture} alt="" /> : <Arcade />}
        <div className={classes.words} data-over={picture || landing.background ? 'picture' : undefined}>
          <p className={classes.slogan}>{slogan}</p>
          {description && <p className={classes.description}>{description}</p>}
        </div>
      </aside>
    </div>
  );
}
