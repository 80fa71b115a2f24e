// Reports a lasting failure when it begins and when it ends, not at every retry in between.

export interface Outage {
  fail(error: unknown): void
  pass(): void
}

/**
 * Calls `begin` at the first failure, and `end` at the first success after it. A failure with another outage log only
 * goes to `begin`.
 */
export function createOutage(
  begin: (error: unknown) => void,
  end: () => void = () => {},
  isToldElsewhere: (error: unknown) => boolean = () => false,
): Outage {
  let lasts = false
  return {
    fail: (error) => {
      if (!lasts) begin(error)
      lasts ||= !isToldElsewhere(error)
    },
    pass: () => {
      if (lasts) end()
      lasts = false
    },
  }
}
