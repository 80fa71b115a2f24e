// Honest pauses between a purchase and a sale. Input: holders, and the seed of a check. Output: who may still be in such a pause, and how
// long a trial waits for its end. Who bought earlier has no pause left, so a trap gains nothing by opening later and later.
import { fractionOf } from './chance.ts'
import type { SampledHolder } from './sample.ts'

export const DAY_SECONDS = 86_400
/** Where the node cannot be asked about later, a pause is taken to be no longer than this. */
const HOUR_SECONDS = 3_600

/** It may be within a pause: what refuses it now is asked again. */
export const isFresh = ({ boughtAgo }: SampledHolder): boolean => boughtAgo !== null && boughtAgo < DAY_SECONDS

/** The same where only its age tells. */
export const isJustBought = ({ boughtAgo }: SampledHolder): boolean => boughtAgo !== null && boughtAgo < HOUR_SECONDS

/** A day and up to two hours, drawn so that no contract opens at just that time. */
export const pauseOf = (seed: string): number => DAY_SECONDS + Math.round(2 * HOUR_SECONDS * fractionOf(seed, 'pause'))
