import { startProduct } from './product.ts';

/** Starts the product once for all journeys and passes its addresses to the workers by an environment variable. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { product, stop } = await startProduct();
  process.env.E2E_PRODUCT = JSON.stringify(product);
  return stop;
}
