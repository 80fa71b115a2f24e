// The history: events of final blocks that have left the database. This file has the terms, and the one interface behind
// which each store of them is. Readers in the ledger ask a store for what the database no longer has.

/** The events of a range of running numbers, whole blocks. */
export interface Segment {
  /** No other segment ever had it. */
  name: string
  firstN: number
  lastN: number
  firstBlock: number
  lastBlock: number
  firstTime: Date
  lastTime: Date
  bytes: number
}

/** The events of all, of a token, or of a wallet with those that it received; of one type, or of all (null). */
export interface HistoryScope {
  of: 'all' | 'token' | 'wallet'
  id: number
  /** As the database numbers them. */
  type: number | null
}

/** A range of a scope's running numbers: `above` is excluded, `below` is included. */
export interface OldRange extends HistoryScope {
  above: number
  below: number
}

/** A place on the chain: block, log, part of the log. */
export type HistoryPlace = readonly [block: number, log: number, part: number]

/** Asks for the newest number of a scope up to `below` whose event is not after the time, or not after the place. */
export interface HistoryStart extends HistoryScope {
  below: number
  since: Date | null
  after: HistoryPlace | null
}

/** The events between a token and a wallet, on either side, within limits. The earlier ends are excluded. */
export interface HistoryMeeting {
  tokenId: number
  walletId: number
  type: number | null
  since: Date | null
  until: Date | null
  after: HistoryPlace | null
  upTo: HistoryPlace | null
}

/** Asks for a wallet's own swaps with a number among its swaps above this one. */
export interface HistoryTrader {
  walletId: number
  above: number
}

/** The name of a column of the table `event` and its value, as JSON has it. Running numbers of scopes are left out. */
export type OldEvent = Record<string, number | string | null> & { n: number }

/** All events of segments for a DuckDB elsewhere. */
export interface EventRelations {
  /**
   * A SELECT with the columns of an event but the hash; `time` is a timestamp in UTC, `tx_n` the running number of the
   * transaction's first event.
   */
  events: string
  /** A SELECT of `tx_n` and of the hash of the transaction, as bytes. */
  hashes: string
  /** The files that they read. */
  paths: string[]
}

/** Swaps of a trader. */
export interface HistorySwap {
  walletId: number
  /** Among the wallet's swaps. */
  n: number
  tokenId: number
  poolId: number
  direction: number
  quantity: number
  amountUsd: number
  /** Seconds since 1970. */
  time: number
  block: number
}

/**
 * Reads a history. Every question brings the segments that the database names, so an answer never has an event twice.
 * Throws SERVICE_UNAVAILABLE if a segment cannot be read.
 */
export interface HistoryReader {
  /** The events of each range that are in the history, newest first, without the hashes of their transactions. */
  readRanges(segments: readonly Segment[], ranges: readonly OldRange[]): Promise<OldEvent[][]>
  /** The events with these running numbers, in any order, without hashes. */
  readNumbers(segments: readonly Segment[], ns: readonly number[]): Promise<OldEvent[]>
  /** The hash of each event's transaction, as hex digits. */
  readHashes(segments: readonly Segment[], ns: readonly number[]): Promise<Map<number, string>>
  findStarts(segments: readonly Segment[], starts: readonly HistoryStart[]): Promise<number[]>
  countMeetings(segments: readonly Segment[], meeting: HistoryMeeting): Promise<number>
  /** Without hashes. */
  readMeetings(
    segments: readonly Segment[],
    meeting: HistoryMeeting,
    page: { offset: number; limit: number; oldestFirst: boolean },
  ): Promise<OldEvent[]>
  /** The swaps of these tokens at these times, in microseconds since 1970; without hashes. */
  readSwapsAt(
    segments: readonly Segment[],
    asked: { tokenIds: readonly number[]; times: readonly number[] },
  ): Promise<OldEvent[]>
  /** The numbers of events among their wallet's events. */
  readWalletNumbers(segments: readonly Segment[], walletId: number, ns: readonly number[]): Promise<Map<number, number>>
  readTraders(segments: readonly Segment[], traders: readonly HistoryTrader[]): Promise<HistorySwap[]>
  /** Whether the store has as many events of a segment as it should. */
  isComplete(segment: Segment): Promise<boolean>
  /** Null: DuckDB cannot read the store. */
  relateEvents(segments: readonly Segment[]): Promise<EventRelations> | null
  /** Throws SERVICE_UNAVAILABLE unless the store has this history. */
  requireId(id: string): Promise<void>
}

/** The facts of a written segment. */
export type Placed = Pick<Segment, 'name' | 'bytes'>

/**
 * Writes a history, one process at a time. What it writes counts once the database names its segment, so a killed writer
 * leaves nothing that is read.
 */
export interface HistoryWriter {
  /** The identifier of the history in the store; null: it has none. */
  readMarker(): Promise<string | null>
  /** Begins a history in an empty store. */
  makeMarker(id: string): Promise<void>
  /** Throws if a part of the segment is missing: then nothing may be removed, because another may have its events. */
  requireSegment(name: string): Promise<void>
  /** Removes what a killed writer left: segments that are not known, and were written before `before`. */
  sweep(known: ReadonlySet<string>, before: Date): Promise<void>
  /**
   * Writes the events of a range of running numbers, and compares what the store then has. `readLines` is called twice,
   * and gives their lines in any order.
   */
  write(range: Pick<Segment, 'firstN' | 'lastN'>, readLines: () => AsyncIterable<string>): Promise<Placed>
  /** Whether an earlier version wrote the segment: merging it alone brings it up to date. */
  isOutdated(name: string): Promise<boolean>
  /** Writes several neighbours as one. An outdated segment has to be alone. */
  merge(segments: readonly Segment[]): Promise<Placed>
  /** Removes a segment that no answer reads any more. */
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** Where the older events of an index are. */
export interface HistoryStore extends HistoryReader {
  /** The setting that names it. */
  readonly setting: string
  /** A fault of the store in some words, without secrets. */
  reasonOf(error: unknown): string
  openWriter(): HistoryWriter
  close(): Promise<void>
}

/** Told when a store cannot be read, and when it can again. */
export interface HistoryFaults {
  onFault(reason: string): void
  onRecovery(): void
}
