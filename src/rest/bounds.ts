// What one client, one address and the process as a whole may hold at the edge. Each is a bound of its own, so that no
// client can take what the others need.

export interface Bounds {
  /** Open at once in this process: each takes some 20 KB. */
  connections: number
  /** Open at once from one IPv4 address or IPv6 /64: a browser opens six. */
  connectionsPerAddress: number
  /** Whole requests that wait on one connection behind the one under way. */
  waitingPerConnection: number
  /** Requests under way in this process: some seconds of work for the database. */
  inFlight: number
  /** A connection on which nothing moves for this long, or twice as long while it is written to, is closed, unless its answer is being worked out. */
  silentMs: number
  /** From a connection's first byte to the end of a request's head. */
  headMs: number
  /** The same to the end of its body. */
  requestMs: number
  /** From the whole head to the last byte of the answer: slow readers that go on reading end here. */
  answerMs: number
  /** An unused connection is kept longer than proxies keep theirs (60 s), so that they never send into one that closes. */
  keepAliveMs: number
}

export const BOUNDS: Bounds = {
  connections: 2_000,
  connectionsPerAddress: 128,
  waitingPerConnection: 64,
  inFlight: 500,
  silentMs: 15_000,
  headMs: 15_000,
  requestMs: 30_000,
  answerMs: 120_000,
  keepAliveMs: 65_000,
}
