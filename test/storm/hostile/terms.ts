// The limits that the program must keep in the full storm and in the short one.
export interface Terms {
  /** Null: latencies of the honest client are reported but not judged. */
  p99Ms: number | null
  /** The most memory at rest after an attack, as a multiple of that before it. */
  memoryFactor: number
  /** An attack is stopped after this time. */
  attackMs: number
  /** All requests of the honest client must be answered within this time after the attack. */
  settleMs: number
  /** The honest client is watched at least this long from the start of an attack, and this long after its end. */
  watchMs: number
  afterMs: number
  /** Requests per second of the honest client. */
  perSecond: number
}
export const LONG: Terms = {
  p99Ms: 250,
  memoryFactor: 1.2,
  perSecond: 20,
  attackMs: 10_000,
  settleMs: 20_000,
  watchMs: 5_000,
  afterMs: 1_500,
}
/** For machines on which latencies mean nothing. */
export const SHORT: Terms = {
  p99Ms: null,
  memoryFactor: 1.5,
  perSecond: 10,
  attackMs: 2_000,
  settleMs: 10_000,
  watchMs: 500,
  afterMs: 300,
}
