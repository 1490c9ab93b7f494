/**
 * Brands whose devices have a serial number instead of a MAC address. Without zod, so that screens can use it without the schemas.
 */
export const hasSerialNumber = (brandSlug: string): boolean => brandSlug === 'watchguard';

/** Gateways that speak UAM, the protocol of CoovaChilli. */
const uamBrands: readonly string[] = ['coovachilli', 'uspot', 'uam'];
export const speaksUam = (brandSlug: string): boolean => uamBrands.includes(brandSlug);

/** Brands whose devices are set up by configuration that the operator pastes. */
export const hasSetupFiles = (brandSlug: string): boolean => speaksUam(brandSlug) || brandSlug === 'opennds';

/** Brands that were added from the vendor's documentation and never tried on a gateway: the date of the documentation. */
const untried: Readonly<Record<string, string>> = { uspot: '2024-03-25', uam: '2024-03-25' };
export const documentedOn = (brandSlug: string): string | undefined => untried[brandSlug];
