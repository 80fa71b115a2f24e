/** The numbers of tokens and wallets in `score_due` and `score_point`. */
export const SCORE_KINDS = { token: 1, wallet: 2 } as const
export type ScoreKind = keyof typeof SCORE_KINDS
