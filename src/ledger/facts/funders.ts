// Finds the first funders that connect wallets of a token to each other.

/** The funders that are themselves in `walletIds` or `others`, or funded at least two of the wallets; most funders are neither. `funders` has one entry per wallet; null: not known. */
export function findJoiningFunders(
  walletIds: readonly number[],
  funders: readonly (number | null)[],
  others: readonly number[] = [],
): Set<number> {
  const paid = new Set<number>()
  const joining = new Set<number>()
  for (const funder of funders) {
    if (funder === null) continue
    if (paid.has(funder)) joining.add(funder)
    else paid.add(funder)
  }
  for (const id of walletIds) if (paid.has(id)) joining.add(id)
  for (const id of others) if (paid.has(id)) joining.add(id)
  return joining
}
