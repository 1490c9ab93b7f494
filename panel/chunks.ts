import type { Rolldown } from 'vite';

type NameFunction = Exclude<Rolldown.CodeSplittingGroup['name'], string>;
type Context = Parameters<NameFunction>[1];

/** The packages of the sign-in. Of Mantine and of the icons only these files: their indexes import all. */
const signInPackages = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|i18next|react-i18next|clsx)/',
    '@mantine/core/esm/core/',
    '@mantine/core/esm/components/(Button|Input|InputBase|TextInput|PasswordInput|ActionIcon|Loader|Transition|UnstyledButton)/',
    '@tabler/icons-react/dist/esm/(defaultAttributes|createReactComponent|icons/Icon(AlertCircle|CircleCheck|Moon|Sun|X))\\.mjs',
  ].join('|'),
);

/** What the sign-in loads at once or soon after, and what the shell around every screen loads. */
const programs = {
  signIn: ['src/main.tsx', 'src/app/public-app.tsx', 'src/ui/toasts.tsx'],
  shell: ['src/app/panel-app.tsx'],
};

/** The own modules that these import at once, directly or not. */
function importsOf(entries: readonly string[], context: Context): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || imported.includes('/node_modules/')) continue;
      found.add(imported);
      add(imported);
    }
  };
  for (const entry of entries) add(entry);
  return found;
}

/** Captures what the entries import. The entries stay chunks of their own, which the build's manifest names. */
function importedBy(name: string, root: string, entries: readonly string[]): NameFunction {
  let modules: Set<string> | undefined;
  return (id, context) => {
    modules ??= importsOf(
      entries.map(entry => `${root}/${entry}`),
      context,
    );
    return modules.has(id) ? name : null;
  };
}

/**
 * One chunk for the sign-in and one for the shell. Left to the bundler, the shell alone is over forty requests, because
 * each set of screens that share a module gets a chunk. The modules of the screens are left to the bundler.
 */
export const chunkGroups = (root: string): Rolldown.CodeSplittingGroup[] => [
  { name: 'base', test: signInPackages, priority: 3 },
  {
    name: importedBy('sign-in', root, programs.signIn),
    debugName: 'sign-in',
    priority: 2,
    includeDependenciesRecursively: false,
  },
  { name: importedBy('shell', root, programs.shell), debugName: 'shell', priority: 1 },
];
