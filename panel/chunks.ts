import type { Rolldown } from 'vite';

type NameFunction = Exclude<Rolldown.CodeSplittingGroup['name'], string>;
type Context = Parameters<NameFunction>[1];

/** The packages of the sign-in. Of Mantine and of the icons only these files: their indexes import all. */
const signInPackages = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|i18next|react-i18next|clsx)/',
    '@mantine/core/esm/core/',
    '@mantine/hooks/esm/use-uncontrolled/',
    '@mantine/core/esm/components/(Button|Input|InputBase|TextInput|ActionIcon|Loader|Transition|UnstyledButton)/',
    '@tabler/icons-react/dist/esm/(defaultAttributes|createReactComponent|icons/Icon(AlertCircle|CircleCheck|Moon|Sun|X))\\.mjs',
  ].join('|'),
);

/** The package of the sign-in that few other screens need. */
const passwordInput = '@mantine/core/esm/components/PasswordInput/';

/** The start, the screens before the sign-in, and the shell around all others. */
const programs = {
  start: ['src/main.tsx', 'src/ui/toasts.tsx'],
  signIn: ['src/app/public-app.tsx'],
  shell: ['src/app/panel-app.tsx'],
};

/** Modules that most screens need. Each has a few hundred bytes, fewer than the headers of its request. */
const ofScreens = new RegExp(
  [
    'src/ui/(list-page|page-header|card|tag|notice|status-dot|relative-time|row-name|form-skeleton)\\.tsx$',
    'src/ui/(file-button|ip-addresses|used-bytes|facts|copy-button|licence-link|suspended-notice)\\.tsx$',
    'src/ui/(sorting|selection|days-editor|use-slow|table-layout|typed-as)\\.ts$',
    'src/ui/save-bar\\.module\\.css$',
    'src/lib/(choices|day-range|local-now|working-location|gone)\\.ts$',
    'contract/src/(mac|list-orders)\\.ts$',
    'react-query/build/modern/useMutationState\\.js$',
    'dist/esm/icons/Icon(AlertTriangle|Check|ChevronLeft|Copy|Download|Pencil|Plus|Trash)\\.mjs$',
    // The icons of the rows' menus and of headers.
    'dist/esm/icons/Icon(Ban|CalendarPlus|ExternalLink|FileImport|PlayerPause|PlayerPlay|PlugConnectedX|Printer|UsersPlus)\\.mjs$',
  ].join('|'),
);

/** Modules that lists need, and forms do not. */
const ofLists = /src\/ui\/(filter-bar|table-options)\.tsx$/;

/** Modules that the screens of one kind share. Left to the bundler, each set of screens that share a module gets a chunk of its own. */
const shared: Rolldown.CodeSplittingGroup[] = [
  { name: 'controls', test: /@mantine\/core\/esm\/components\/(Switch|InlineInput|SegmentedControl)\// },
  { name: 'select', test: /@mantine\/core\/esm\/components\/(NativeSelect|Combobox\/ComboboxChevron)\// },
  { name: 'visitors', test: /features\/visitors\/visitor-(kinds|state)/ },
  // Not with the combobox, which imports it: a checkbox needs it too.
  { name: 'check', test: /@mantine\/core\/esm\/components\/Checkbox\/CheckIcon/ },
  { name: 'popover', test: /@mantine\/core\/esm\/components\/(Popover|FocusTrap|Portal)\// },
  { name: 'combobox', test: /@mantine\/core\/esm\/components\/(Combobox|ScrollArea|PillsInput|MultiSelect)\// },
  {
    name: 'form',
    test: /src\/ui\/(use-contract-form|keep-typed|unsaved-guard|save-bar|form-layout|choices|before-submit)\b/,
  },
  { name: 'csv', test: /src\/ui\/(csv-file-field|csv-rows|steps)\b/ },
  {
    name: 'devices',
    test: /features\/devices\/(brand-logo|device-status|devices\.|unknown-devices|users\/device-users\.api)|contract\/src\/device-kinds/,
  },
  {
    name: 'device',
    test: /features\/devices\/(device-(screen|banner|header|tabs|setup)|setup\/login-file)/,
  },
  { name: 'sessions', test: /features\/sessions\// },
  // Not with the charts, which screens load on demand: the frame of a list has none.
  { name: 'panel', test: /src\/ui\/(panel|licence-state)\./ },
  { name: 'charts', test: /src\/ui\/(bar-chart|line-chart|chart-lines)|features\/dashboard\/(last-day|bucket-label)/ },
  { name: 'dashboard', test: /features\/dashboard\/(dashboard\.(api|module)|filter|problem-list)/ },
  { name: 'attempts', test: /features\/dashboard\/(attempt|dialogs\.module)|ui\/parse-date/ },
  // Each has a hundred bytes, and each chunk costs the shell its name.
  { name: 'sales', test: /contract\/src\/purchase-states|\/(licence-terms|hundredths|sale-reason)\./ },
  { name: 'imports', test: /features\/imports\/imports\./ },
  {
    name: 'portal-form',
    test: /features\/portals\/.*(language-tabs|fields\.module|use-undo|undo-buttons|draft-bar|picture-field)|ui\/picture-field/,
  },
].map(group => ({ ...group, minShareCount: 2 }));

/** Modules that the list of portals shares with the editor, and shows without it. */
const ofPortals = /features\/portals\/(portals\.api|portal-languages)|contract\/src\/portal-languages/;

/** The texts of the shell and of lists, by language: one request instead of two. */
const shellTexts = /src\/(app\/shell|ui\/table)\.(en|tr)\.json$/;

/** The own modules that these import at once, directly or not. */
function importsOf(root: string, entries: readonly string[], context: Context): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || imported.includes('/node_modules/')) continue;
      found.add(imported);
      add(imported);
    }
  };
  for (const entry of entries) add(`${root}/${entry}`);
  return found;
}

/** Names the chunk of what a program imports. The entries stay chunks of their own, which the build's manifest names. */
function programOf(root: string): NameFunction {
  let modules: Record<keyof typeof programs, Set<string>> | undefined;
  return (id, context) => {
    modules ??= {
      start: importsOf(root, programs.start, context),
      signIn: importsOf(root, programs.signIn, context),
      shell: importsOf(root, programs.shell, context),
    };
    const { start, signIn, shell } = modules;
    if (start.has(id) || (signIn.has(id) && shell.has(id))) return 'start';
    return signIn.has(id) || id.includes(passwordInput) ? 'sign-in' : null;
  };
}

/** Names the chunk of the shell, with the packages that it imports. */
function shellOf(root: string): NameFunction {
  let modules: Set<string> | undefined;
  return (id, context) => {
    modules ??= importsOf(root, programs.shell, context);
    return modules.has(id) ? 'shell' : null;
  };
}

/**
 * One chunk each for what both programs share, the sign-in, the shell and what most screens show. Left to the bundler, the
 * shell alone is over forty requests, because each set of screens that share a module gets a chunk. The rest is left to it.
 */
export const chunkGroups = (root: string): Rolldown.CodeSplittingGroup[] => [
  { name: 'base', test: signInPackages, priority: 4 },
  { name: programOf(root), debugName: 'programs', priority: 3, includeDependenciesRecursively: false },
  { name: shellOf(root), debugName: 'shell', priority: 2 },
  { name: 'screen', test: ofScreens, priority: 1 },
  { name: 'list', test: ofLists, priority: 1 },
  // The other icons of several screens: all of them are smaller than three chunks of one.
  { name: 'icons', test: /@tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 2 },
  { name: 'portals', test: ofPortals, priority: 1 },
  { name: id => `texts.${shellTexts.exec(id)?.[2]}`, test: shellTexts },
  ...shared,
  // The cards below the first of an open portal: they load together. Without what they import, which other screens need too.
  {
    name: 'portal-cards',
    includeDependenciesRecursively: false,
    test: /features\/portals\/(design\/(look|background|languages|header-footer|colours|custom-css|links)-card|languages\/own-languages)\b|contract\/src\/portal-css/,
  },
  // The editor of portals has dialogs that share much with few others.
  {
    name: 'portal-editor',
    test: /features\/portals\/editor|ui\/sortable-list/,
    minShareCount: 6,
  },
];
