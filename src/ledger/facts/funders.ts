// Who paid for wallets' first steps: the funders that join wallets of a token to each other.

/** Funders that are among the wallets or the others, or funded at least two of the wallets. Most are neither, and join nobody. `funders`: of each wallet, null where it is not known. */
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
