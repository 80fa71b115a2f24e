// The balance at the start of an earlier day, from the days on which it changed and the balance at the start of each.

/** Whole tokens held at the start of a day (days since 1970): the opening of the next change, else today's balance. */
export function heldAtStart(
  day: number,
  openingDays: readonly number[],
  openings: readonly number[],
  now: number,
): number {
  const index = openingDays.findIndex((changed) => changed >= day)
  return index < 0 ? now : (openings[index] ?? now)
}
