const longest = 120_000;

/** Fails when a part of the interface has not loaded within 120 seconds. */
export const withTimeout = <T>(arriving: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A part of the interface did not load in time')), longest);
    arriving.then(resolve, reject).finally(() => clearTimeout(timer));
  });
