// The kinds of imports. Without zod, so that screens can use them without the schemas.

export const importSources = ['freeradius', 'radiusdesk', 'user-manager', 'csv'] as const;
export const importStates = ['ready', 'running', 'done'] as const;
/** What happens to visitors that have the user name already. */
export const existingChoices = ['keep', 'update'] as const;
