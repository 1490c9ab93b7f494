/** Brands whose devices are known by their serial number instead of a MAC address. Kept from zod, so that screens can ask it early. */
export const hasSerialNumber = (brandSlug: string): boolean => brandSlug === 'watchguard';
