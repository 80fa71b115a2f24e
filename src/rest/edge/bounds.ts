// Limits on the resources that one client, one address and the whole process may hold. They are separate so that one
// client cannot use up the share of others.

export interface Bounds {
  /** Open connections in this process; each takes about 20 KB. */
  connections: number
  /** Open connections from one IPv4 address or IPv6 /64. A browser opens six. */
  connectionsPerAddress: number
  /** Complete requests queued on one connection behind the one being answered. */
  waitingPerConnection: number
  /**
   * The most bytes of one request before its connection is closed. A body above 16 KiB is answered 413, but most
   * clients read that only after they have sent all. Four clients that each sent 20 MB delayed others by 300 ms.
   */
  requestBytes: number
  /** Requests being answered in this process: some seconds of work for the database. */
  inFlight: number
  /**
   * A connection without traffic is closed after this time, unless its answer is still being computed. While an answer
   * is being written, it is twice as long.
   */
  silentMs: number
  /** From a connection's first byte to the end of a request's head. */
  headMs: number
  /** From a connection's first byte to the end of a request's body. */
  requestMs: number
  /** From a complete request head to the last byte of the answer. Ends clients that read very slowly. */
  answerMs: number
  /** Idle time before we close a keep-alive connection. Longer than the 60 s of proxies, so that they close first. */
  keepAliveMs: number
}

export const BOUNDS: Bounds = {
  connections: 2_000,
  connectionsPerAddress: 128,
  waitingPerConnection: 64,
  requestBytes: 1_048_576,
  inFlight: 500,
  silentMs: 15_000,
  headMs: 15_000,
  requestMs: 30_000,
  answerMs: 120_000,
  keepAliveMs: 65_000,
}
