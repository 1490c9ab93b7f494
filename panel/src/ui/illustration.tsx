import type { ReactNode } from 'react';
import classes from '#ui/illustration.module.css';

/** The panel's drawings: an arch (the portico) in thin lines; the accent marks a missing or wrong thing. */
const drawings = {
  venue: (
    <>
      <path d="M40 100V58a40 40 0 0 1 80 0v42" />
      <path d="M56 100V60a24 24 0 0 1 48 0v40" />
      <path d="M28 100h104" />
      <path className={classes.accent} d="M80 72v20M70 82h20" />
    </>
  ),
  router: (
    <>
      <rect x="40" y="70" width="80" height="26" rx="6" />
      <path d="M56 70V48M104 70V48M52 96v5M108 96v5" />
      <path d="M72 83h34" />
      <circle className={classes.accentFill} cx="56" cy="83" r="3.5" />
      <path className={classes.accent} d="M66 46a20 20 0 0 1 28 0M72 53a11.500 11.500 0 0 1 16 0" />
      <path d="M28 101h104" />
    </>
  ),
  people: (
    <>
      <circle cx="66" cy="52" r="13" />
      <path d="M42 96v-4a24 24 0 0 1 48 0v4" />
      <path d="M97 44a11 11 0 0 1 0 20M104 74a20 20 0 0 1 14 19v3" />
      <path className={classes.accent} d="M118 34v16M110 42h16" />
      <path d="M28 101h104" />
    </>
  ),
  page: (
    <>
      <rect x="52" y="28" width="56" height="73" rx="8" />
      <path d="M64 58h32M64 68h32M64 46h14" />
      <rect className={classes.accentFill} x="64" y="80" width="32" height="9" rx="4.500" />
      <path d="M28 101h24M108 101h24" />
    </>
  ),
  gauge: (
    <>
      <path d="M42 94a38 38 0 1 1 76 0" />
      <path d="M54 94a26 26 0 1 1 52 0" strokeDasharray="2 7" />
      <path className={classes.accent} d="M80 94l18-26" />
      <circle className={classes.accentFill} cx="80" cy="94" r="4" />
      <path d="M28 101h104" />
    </>
  ),
  waves: (
    <>
      <path d="M44 62a52 52 0 0 1 72 0" />
      <path d="M56 75a35 35 0 0 1 48 0" />
      <path className={classes.accent} d="M68 87a18 18 0 0 1 24 0" />
      <circle className={classes.accentFill} cx="80" cy="97" r="4" />
      <path d="M28 109h104" />
    </>
  ),
  clock: (
    <>
      <circle cx="80" cy="66" r="35" />
      <path className={classes.accent} d="M80 46v21l14 8" />
      <path d="M80 31v4M80 97v4M45 66h4M111 66h4M28 109h104" />
    </>
  ),
  search: (
    <>
      <circle cx="74" cy="60" r="27" />
      <path d="M94 80l20 20" />
      <path className={classes.accent} d="M64 60h20" />
      <path d="M28 109h104" />
    </>
  ),
  broken: (
    <>
      <path d="M40 100V58a40 40 0 0 1 34-39.500M86 18.500A40 40 0 0 1 120 58v42" />
      <path d="M28 100h104" />
      <path className={classes.accent} d="M82 16l-8 18 12 8-8 18" />
      <path d="M56 100V62a24 24 0 0 1 11-20M93 42a24 24 0 0 1 11 20v38" />
    </>
  ),
  closed: (
    <>
      <path d="M40 100V58a40 40 0 0 1 80 0v42" />
      <path d="M28 100h104" />
      <rect className={classes.accent} x="66" y="66" width="28" height="22" rx="5" />
      <path className={classes.accent} d="M71 66v-6a9 9 0 0 1 18 0v6" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IllustrationName = keyof typeof drawings;

export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 160 120" width="160" height="120" fill="none" aria-hidden="true">
      <circle className={classes.ground} cx="80" cy="64" r="52" />
      {drawings[name]}
    </svg>
  );
}
