// What is said of a token or a wallet that was never scored: the priors of the scores, which answers show and scores begin at.

/** Points, 0-100. Nothing is known, which is never shown as safe. */
export const UNSCORED = {
  /** Risk of a token, and points of each of its dimensions; its stability is what is left to 100. */
  risk: 60,
  /** Where smart money goes: neither way. */
  flow: 50,
  /** Reputation of a wallet, and each of its dimensions. */
  reputation: 50,
} as const
