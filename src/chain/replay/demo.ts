// Identifies the demo chain.

/** The chain id of the recorded demo market; no public network uses it. */
export const DEMO_CHAIN_ID = 727_390
