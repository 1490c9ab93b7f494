import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { newId } from '#lib/ids.ts';
import type { Panel } from './panel.ts';

/**
 * The progress of a fill, in a file that exists until the fill ends. The steps have the same order each time, so a start after an
 * interrupted one takes their answers from the file and goes on.
 */
export interface Progress {
  step<T>(make: (key: string) => Promise<T>): Promise<T>;
  end(): void;
}

export function openProgress(file: string): Progress {
  // The last line may have been cut. Its step gets its answer again, by the key.
  const [key = newId(), ...answers] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  writeFileSync(file, [key, ...answers, ''].join('\n'));
  let at = 0;
  return {
    async step<T>(make: (key: string) => Promise<T>): Promise<T> {
      const made = answers[at++];
      if (made !== undefined) return JSON.parse(made) as T;
      const answer = await make(`${key}-${at}`);
      appendFileSync(file, `${JSON.stringify(answer ?? null)}\n`);
      return answer;
    },
    end: () => rmSync(file, { force: true }),
  };
}

/** The panel, where each thing is made once. */
export const onceEach = (panel: Panel, progress: Progress): Panel => ({
  ...panel,
  post: (path, body) => progress.step(key => panel.post(path, body, key)),
  // Without the key, which stays taken for a minute after a kill. A picture that no portal has is removed later.
  draw: (collection, svg) => progress.step(() => panel.draw(collection, svg)),
});
