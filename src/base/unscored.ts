// The values of a token or wallet that has not been scored: the API shows them, and the scores start from these priors.

/** Points from 0 to 100. An unknown token is never shown as safe. */
export const UNSCORED = {
  /** A token's risk, and each dimension in points of risk; the stability shown is 100 minus that. */
  risk: 60,
  /** The direction of smart money: neutral. */
  flow: 50,
  /** A wallet's reputation, and each of its dimensions. */
  reputation: 50,
} as const
