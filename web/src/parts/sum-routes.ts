// Pure. Usage by day becomes usage by route.
export interface UsageDay {
  /** The UTC day. */
  date: string
  requests: number
  routes: readonly { route: string; requests: number }[]
}

/** The requests of a day or a route. */
export interface Line {
  name: string
  requests: number
}

/** The requests of each route over all days, the most first. */
export function sumRoutes(usage: readonly Pick<UsageDay, 'routes'>[]): Line[] {
  const sums = new Map<string, number>()
  for (const { route, requests } of usage.flatMap(({ routes }) => routes))
    sums.set(route, (sums.get(route) ?? 0) + requests)
  return [...sums].map(([name, requests]) => ({ name, requests })).sort((a, b) => b.requests - a.requests)
}
