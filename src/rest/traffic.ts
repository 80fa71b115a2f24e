// What goes on at the edge, as plain numbers that its parts share: the socket counts, the app sheds, the metrics show.

/** Why a connection or a request was turned away. */
export const REFUSALS = [
  'connections',
  'connections_per_address',
  'pipelined',
  'slow',
  'malformed',
  'overload_lag',
  'overload_in_flight',
] as const
export type Refusal = (typeof REFUSALS)[number]

export interface Traffic {
  /** Open connections. */
  connections: number
  /** Requests that were handed to the app and are not answered yet. */
  inFlight: number
  /** The process is about to end: answers close their connection. */
  isLeaving: boolean
  /** Counts one refusal. */
  refuse(kind: Refusal): void
}

/** Nothing goes on yet. */
export const createTraffic = (refuse: (kind: Refusal) => void = () => {}): Traffic => ({
  connections: 0,
  inFlight: 0,
  isLeaving: false,
  refuse,
})
