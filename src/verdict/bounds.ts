// Bounds from which on a measure is worth a sentence. The score's weights take them from here.

/** A pool or a token with less than this many dollars is empty. */
export const LEAST_USD = 1
/** Of the liquidity: a wallet that can withdraw more has it in its hand. */
export const FREE_SHARE = 0.5
/** Of the supply: an owner of this much is named. */
export const LARGE_OWNER = 0.25
/** Of the volume: from here on wash trading is flagged. */
export const WASHED_SHARE = 0.03
