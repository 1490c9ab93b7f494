// Without zod, so that a screen can use these without the schemas.

/**
 * The reasons why a customer needs attention: its licence or trial ends within 30 days, a device is offline, 80 % of
 * its SMS are used.
 */
export const concerns = ['ending', 'offline', 'sms'] as const;
export const customerOrders = ['name', 'ends_at', 'devices_offline', 'sms'] as const;
