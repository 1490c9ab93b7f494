const timeoutMs = 120_000;

/** Rejects if a part of the interface has not loaded within 120 seconds. */
export const withTimeout = <T>(loading: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A part of the interface did not load in time')), timeoutMs);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
