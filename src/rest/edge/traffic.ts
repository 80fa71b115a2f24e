// Counters shared by the parts of the server: the connection code and load shedding update them, the metrics export
// them.

/** Why a connection or a request was refused. */
export const REFUSALS = [
  'connections',
  'connections_per_address',
  'pipelined',
  'large',
  'slow',
  'malformed',
  'overload_lag',
  'overload_in_flight',
] as const
export type Refusal = (typeof REFUSALS)[number]

export interface Traffic {
  connections: number
  /** Requests that were handed to the app and are not answered yet. */
  inFlight: number
  /** Open streams; they do not count as in flight. */
  streams: number
  /** The process is about to stop: every answer closes its connection. */
  isLeaving: boolean
  refuse(kind: Refusal): void
}

export const createTraffic = (refuse: (kind: Refusal) => void = () => {}): Traffic => ({
  connections: 0,
  inFlight: 0,
  streams: 0,
  isLeaving: false,
  refuse,
})
