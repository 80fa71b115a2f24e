// What the check of a token's contract does now, for those who wait for it.

export const CHECK_STEPS = ['waiting', 'reading', 'trials', 'powers', 'storing', 'scoring'] as const
export type CheckStep = (typeof CHECK_STEPS)[number]

/** Called when a step begins. `holders`: how many of them are tried. */
export type TellStep = (step: CheckStep, holders?: number) => void
