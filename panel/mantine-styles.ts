import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const ours = path.join(import.meta.dirname, 'src/app/styles');
const imported = /@mantine\/core\/styles\/(\w+)\.layer\.css/g;

/** The style sheets that the panel imports at once: those of the sign-in and a few small ones. */
const atOnce = new Set(
  ['public.css', 'panel.css'].flatMap(file =>
    Array.from(readFileSync(path.join(ours, file), 'utf8').matchAll(imported), match => match[1]),
  ),
);

const component = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Loads the styles of Mantine's other components with their scripts, so that no screen waits for those of a slider elsewhere.
 * The development server has its packages bundled beforehand, and loads all.
 */
export const mantineStyles = (): Plugin => {
  let isBuild = true;
  return {
    name: 'mantine-styles',
    configResolved: ({ command, root }) => {
      isBuild = command === 'build';
      if (!existsSync(path.join(root, 'src/main.tsx'))) throw new Error('mantine-styles: main.tsx has moved');
    },
    transform: (code, id) => {
      if (!isBuild) return id.endsWith('/src/main.tsx') ? `import '@mantine/core/styles.layer.css';\n${code}` : null;
      const name = component.exec(id)?.[1];
      return name && !atOnce.has(name) ? `import '@mantine/core/styles/${name}.layer.css';\n${code}` : null;
    },
  };
};

/** Mantine's own variables name fourteen colours with 23 values each. These are the ones that our theme and its components use. */
const named = /^--mantine-color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-/;

/** Leaves the other colours out of the first style sheet. The type of a colour allows no others: src/app/theme.ts. */
export const usedColours = {
  postcssPlugin: 'used-colours',
  Declaration: (declaration: { prop: string; remove(): unknown }) => {
    if (named.test(declaration.prop)) declaration.remove();
  },
};
