// Without zod, so that a screen can use them without the schemas.

export const visitorStates = ['valid', 'later', 'over', 'paused', 'erased'] as const;
export type VisitorStatus = (typeof visitorStates)[number];

export const visitorOrders = ['created', 'name', 'until'] as const;
export type VisitorOrder = (typeof visitorOrders)[number];
