// What a transfer lost on the way, as a tax is told. Input: what left and what arrived, in raw units. Output: percent. Pure.

/** 0 to 100, to a hundredth; null where nothing left. */
export function lossPct({ left, arrived }: { left: bigint; arrived: bigint }): number | null {
  if (left <= 0n) return null
  return arrived >= left ? 0 : Number(((left - arrived) * 10_000n + left / 2n) / left) / 100
}
