/** The parts of a portal that are compared. Lists of items are compared whole. */
export const portalParts: readonly string[] = [
  'name',
  'styles',
  'providers',
  'messages',
  'agreements',
  'page',
  'surveys',
  'redirect_rules',
  'advertisements',
];
