import type { Target } from './target.ts';
import { byteTargets } from './targets.bytes.ts';
import { textTargets } from './targets.text.ts';

export const targets: readonly Target[] = [...byteTargets, ...textTargets];
