// A shared, cached reading of the database. One caller at a time makes it. The others wait only for a short time,
// because an unavailable database must not block all other metrics.

/** The longest wait for a new reading. */
const LOOK_WITHIN_MS = 1_000

/** The cached reading, or a new one if that is older than `everyMs`; null if none arrives in time. */
export function createLook<Seen>(
  read: () => Promise<Seen>,
  monotonicMs: () => number,
  everyMs: number,
): () => Promise<Seen | null> {
  let seen: { value: Seen | null; atMs: number } | undefined
  let underWay: Promise<void> | undefined
  const refresh = async () => {
    const value = await read().catch(() => null)
    seen = { value, atMs: monotonicMs() }
    underWay = undefined
  }
  const isFresh = () => seen !== undefined && monotonicMs() - seen.atMs < everyMs
  return async () => {
    if (!isFresh()) {
      underWay ??= refresh()
      await orLater(underWay)
    }
    return isFresh() ? (seen?.value ?? null) : null
  }
}

async function orLater(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_WITHIN_MS)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
