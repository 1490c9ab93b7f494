export const sessionRoutes = [] as const;
