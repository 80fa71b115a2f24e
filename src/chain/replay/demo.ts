// What tells the demo chain from a network.

/** The chain id of the recorded market; no network has it. */
export const DEMO_CHAIN_ID = 727_390
