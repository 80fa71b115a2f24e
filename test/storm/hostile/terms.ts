// What is asked of the program in the long form and in the short one.
export interface Terms {
  /** None: the time of the honest answers is told and not judged. */
  p99Ms: number | null
  /** Memory at rest after an attack, as a multiple of what it was before. */
  memoryFactor: number
  /** An attack is over after this, whatever it still wanted to do. */
  attackMs: number
  /** Everything that the honest client asked is answered so long after that. */
  settleMs: number
  /** The honest client is watched for at least so long from the beginning of an attack, and for so long after its end. */
  watchMs: number
  afterMs: number
  /** Requests of the honest client. */
  perSecond: number
}
export const LONG: Terms = {
  ...{ p99Ms: 250, memoryFactor: 1.2, perSecond: 20 },
  ...{ attackMs: 10_000, settleMs: 20_000, watchMs: 5_000, afterMs: 1_500 },
}
/** For machines whose times mean nothing. */
export const SHORT: Terms = {
  ...{ p99Ms: null, memoryFactor: 1.5, perSecond: 10 },
  ...{ attackMs: 2_000, settleMs: 10_000, watchMs: 500, afterMs: 300 },
}
