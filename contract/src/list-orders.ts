// Without zod, so that a screen can use these without the schemas. Each list also takes the direction.

export const deviceOrders = ['created', 'name', 'seen'] as const;
export const locationOrders = ['created', 'name'] as const;
export const batchOrders = ['created', 'name', 'left'] as const;
export const memberOrders = ['since', 'name'] as const;

export type Direction = 'asc' | 'desc';
