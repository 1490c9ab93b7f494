/**
 * Brands whose devices have a serial number instead of a MAC address. Without zod, so that screens can use it without the schemas.
 */
export const hasSerialNumber = (brandSlug: string): boolean => brandSlug === 'watchguard';
