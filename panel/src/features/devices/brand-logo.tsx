import type { Brand } from '@portico/contract/devices.ts';

/** Decorative: the name of the device is beside it. */
export function BrandLogo({ brand, size = 22 }: { brand: Brand; size?: number }) {
  return <img src={brand.logo} alt="" title={brand.name} width={size} height={size} loading="lazy" />;
}
