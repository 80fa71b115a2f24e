// The loss of a transfer on the way, like a tax. Input: the amounts sent and received, in raw units. Output: percent.
// Pure.

/** 0 to 100, to a hundredth; null if nothing was sent. */
export function lossPct({ left, arrived }: { left: bigint; arrived: bigint }): number | null {
  if (left <= 0n) return null
  return arrived >= left ? 0 : Number(((left - arrived) * 10_000n + left / 2n) / left) / 100
}
