// What goes on failing is told when it begins and when it is over, not at every try in between.

export interface Outage {
  fail(error: unknown): void
  pass(): void
}

/** Tells `begin` of the first failure and `end` of the first success after it. */
export function createOutage(begin: (error: unknown) => void, end: () => void = () => {}): Outage {
  let lasts = false
  return {
    fail: (error) => {
      if (!lasts) begin(error)
      lasts = true
    },
    pass: () => {
      if (lasts) end()
      lasts = false
    },
  }
}
