// Faults of a provider, told apart by what has to be done about them. Comes in: status, code and message of an answer;
// goes out: one `RpcError`. Providers share no codes, so a message decides where code and status say too little; every
// such message stands in the table of this file and nowhere else.

/** What has to be done: split the request, wait, try elsewhere, or take the answer as final. */
export type RpcErrorKind =
  /** The range of blocks is too wide: split, and never ask as much again. */
  | 'range'
  /** The answer would be too large: split this once. */
  | 'size'
  /** Too many requests: wait; the request itself is fine. */
  | 'rate'
  /** The backend is down, slow, or answered nonsense: rest it and try elsewhere. */
  | 'transient'
  /** The backend does not have the block yet, or contradicts itself: ask again. */
  | 'lagging'
  /** The key is refused. */
  | 'auth'
  /** The endpoint serves another chain: nothing that it says counts. */
  | 'foreign'
  /** The provider takes no batch, or none of this size. */
  | 'batch'
  /** The provider does not know the method. */
  | 'unsupported'
  /** The state of the asked block is gone. */
  | 'pruned'
  /** The contract failed: an answer, not a fault. */
  | 'execution'
  /** Refused for another reason. */
  | 'rejected'
  /** The program is stopping. */
  | 'aborted'

/** Kinds after which the same request may succeed. */
export const RETRYABLE: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'lagging', 'foreign'])

/** What the provider says about the next try: a number of blocks at most, a range that works, or milliseconds to wait. */
export interface RpcHint {
  maxBlocks?: number
  range?: { from: number; to: number }
  retryAfterMs?: number
}

/** A provider's fault. Its message never holds the URL, whose path or query is often a key. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly kind: RpcErrorKind
  readonly hint: RpcHint

  constructor(kind: RpcErrorKind, message: string, hint: RpcHint = {}) {
    super(message)
    this.kind = kind
    this.hint = hint
  }
}

/** Whether the fault passes by itself. */
export const isRetryable = (error: unknown): boolean => error instanceof RpcError && RETRYABLE.has(error.kind)

/** Whether a program that is running waits for the fault to pass: a key may be renewed meanwhile. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RpcError && (RETRYABLE.has(error.kind) || error.kind === 'auth')

const KIND_BY_CODE: Readonly<Record<number, RpcErrorKind>> = {
  429: 'rate',
  [-32004]: 'unsupported',
  [-32614]: 'range',
  [-32701]: 'range',
  [-32016]: 'rate',
}

/** Read from the top: the first pattern that fits decides, before code and status. A contract's own words come after "reverted" and decide nothing. */
const KIND_BY_MESSAGE: readonly (readonly [RpcErrorKind, RegExp])[] = [
  [
    'execution',
    /^(execution reverted|(error: )?vm (exception|execution)|reverted|evm error|invalid opcode|out of gas)/i,
  ],
  ['batch', /batch.*(limit|large|size|many|support|allowed|disabled|exceed)|(too many|limit|no|max).*batch/i],
  ['lagging', /beyond (the )?(current )?head|header not found|(unknown|missing) block|block[^.]{0,40} not found/i],
  ['lagging', /cannot (find|query).*(block|unfinalized)|after last accepted block|block.*not (yet )?available/i],
  [
    'pruned',
    /missing trie node|state[^.]{0,60}(not available|unavailable|pruned|missing)|pruned|archive|historical state/i,
  ],
  // anvil's, which says the same of a block to come; only blocks that it gave are asked for their state.
  ['pruned', /block height is \d+ but requested was \d+/i],
  ['size', /more than [\d,]+ (results|logs)|max(imum)? (results|logs)|too many (results|logs)|response size/i],
  ['size', /response.*too (large|big)|result (set )?(is )?too (large|big)|limit of [\d,]+ logs|body size/i],
  ['size', /query (timeout exceeded|timed out|took too long)|timeout.*smaller range/i],
  ['range', /range (is )?(too )?(wide|large|big|exceed)|(block|max|maximum|exceeds?|limited|limit|up to).*range/i],
  ['range', /range.*(limit|max|at most|exceed|more than)|limited to [\d,]+ ?k? blocks|too many blocks/i],
  [
    'rate',
    /rate.?limit|too many requests|request limit|limit exceeded|throughput|compute units|per second|credits|quota/i,
  ],
  ['execution', /revert|opcode|out of gas|stack (under|over)flow|invalid jump|intrinsic gas/i],
  [
    'unsupported',
    /method.*(not (found|supported|available|allowed|exist|implemented)|unsupported)|unsupported method/i,
  ],
  ['unsupported', /not (been )?implemented/i],
  ['auth', /(invalid|missing|unknown).*(api.?key|token|project)|unauthori[sz]ed|forbidden|authenticat|access denied/i],
]

/** What the pieces of an answer mean; `status` is HTTP's. */
export function classify(status: number, code: number | null, message: string): RpcErrorKind {
  if (code === 3 || code === -32015) return 'execution'
  if (code === -32601) return 'unsupported'
  if (status === 429 || code === 429) return 'rate'
  if (status === 401 || status === 402 || status === 403) return 'auth'
  for (const [kind, pattern] of KIND_BY_MESSAGE) if (pattern.test(message)) return kind
  const known = code === null ? undefined : KIND_BY_CODE[code]
  if (known) return known
  if (code === -32005) return 'rate'
  if (status === 413) return 'size'
  if (status >= 500 || status === 408 || code === -32603) return 'transient'
  return 'rejected'
}

const NUMBER = String.raw`(0x[0-9a-f]+|\d[\d,]*)`
const SUGGESTED = new RegExp(String.raw`range[^\d[]{0,30}\[?\s*${NUMBER}\s*(?:-|,|to)\s*${NUMBER}`, 'i')
const LIMITS = [
  /(?:limited to|up to|at most|maximum|max|exceeds?|limit|less than|within|than)[^\d]{0,40}(\d[\d,]*)\s*(k\b)?/i,
  /(\d[\d,]*)\s*(k\b)?[- ]*blocks?[- ]*(?:range|limit|max)/i,
]

const readNumber = (text: string): number => Number(text.startsWith('0x') ? text : text.replaceAll(',', ''))

/** What the message advises; nonsense is left out (a range upside down, no block at all). */
export function readHint(kind: RpcErrorKind, message: string): RpcHint {
  if (kind !== 'range' && kind !== 'size') return {}
  const suggested = SUGGESTED.exec(message)
  if (suggested?.[1] && suggested[2]) {
    const range = { from: readNumber(suggested[1]), to: readNumber(suggested[2]) }
    if (range.from <= range.to) return { range }
  }
  if (kind !== 'range') return {}
  for (const pattern of LIMITS) {
    const [, digits, thousand] = pattern.exec(message) ?? []
    const maxBlocks = digits ? readNumber(digits) * (thousand ? 1000 : 1) : 0
    if (Number.isSafeInteger(maxBlocks) && maxBlocks > 0) return { maxBlocks }
  }
  return {}
}
