import classes from '#ui/logo.module.css';

/** The tenant's logo, or else an arch with the tenant's name. */
export function Logo({ src, name, compact = false }: { src: string | null; name: string; compact?: boolean }) {
  if (src && !compact) return <img className={classes.image} src={src} alt={name} />;
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
        <g fill="none" stroke="var(--accent-on)" strokeWidth="2.400" strokeLinecap="round">
          <path d="M7 25v-9a9 9 0 0 1 18 0v9" />
          <path d="M11.500 25v-8.500a4.500 4.500 0 0 1 9 0V25" opacity=".75" />
        </g>
        <circle cx="16" cy="24" r="2" fill="var(--accent-on)" />
      </svg>
      {compact ? <span className="quietly">{name}</span> : <span className={classes.name}>{name}</span>}
    </span>
  );
}
