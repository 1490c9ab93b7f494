import { startProduct } from './product.ts';

/** Starts the product once for all journeys; the workers learn of it through their environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { product, stop } = await startProduct();
  process.env.E2E_PRODUCT = JSON.stringify(product);
  return stop;
}
