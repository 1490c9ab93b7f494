// Without zod, so that a screen can use them without the schemas.

/** `closed`: the visitor could sign in, but its location serves no guests. */
export const visitorStates = ['valid', 'closed', 'later', 'over', 'paused', 'erased'] as const;
export type VisitorStatus = (typeof visitorStates)[number];

/** Whether a location serves guests: it was suspended, or its licence or demo is over and no device has one of its own. */
export const locationServices = ['running', 'ended', 'suspended'] as const;
export type LocationService = (typeof locationServices)[number];

export const visitorOrders = ['created', 'name', 'until'] as const;
export type VisitorOrder = (typeof visitorOrders)[number];
