// Honest cooldowns between a purchase and a sale. Input: holders, and the seed of a check. Output: the holders that may
// still be in one, and the time that a trial waits for its end. Earlier buyers have no cooldown left, so a trap gains
// nothing by opening later and later.
import { DAY_SECONDS, HOUR_SECONDS } from '../../base/time.ts'
import { fractionOf } from '../node/chance.ts'
import type { SampledHolder } from './sample.ts'

/** It may be in a cooldown: a refusal now is tried again later. */
export const isFresh = ({ boughtAgo }: SampledHolder): boolean => boughtAgo !== null && boughtAgo < DAY_SECONDS

/** The same on a node without calls at a later time, where a cooldown is assumed to last an hour at most. */
export const isJustBought = ({ boughtAgo }: SampledHolder): boolean => boughtAgo !== null && boughtAgo < HOUR_SECONDS

/** A day and up to two hours, drawn so that no contract opens at exactly that time. */
export const pauseOf = (seed: string): number => DAY_SECONDS + Math.round(2 * HOUR_SECONDS * fractionOf(seed, 'pause'))
