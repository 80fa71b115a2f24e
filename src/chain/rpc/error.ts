// Provider faults, classified by the remedy. Input: status, code and message of an answer. Output: an `RpcErrorKind`
// and a hint. Providers share no error codes, so the message decides if code and status are ambiguous. This file's
// table has all such messages.

/** The caller's remedy: split the request, wait, try elsewhere, or accept the answer as final. */
export type RpcErrorKind =
  /** The block range is too wide: split it, and never ask for that width again. */
  | 'range'
  /** The answer would be too large: split this request only. */
  | 'size'
  /** Too many requests: wait, then send the same request again. */
  | 'rate'
  /** The backend is down, slow, or answered nonsense: pause it and try elsewhere. */
  | 'transient'
  /** The backend does not have the block yet, or contradicts itself: ask again. */
  | 'lagging'
  /** The provider refused the key. */
  | 'auth'
  /** The endpoint serves another chain: ignore what it says. */
  | 'foreign'
  /** The provider accepts no batches, or none of this size. */
  | 'batch'
  /** The provider does not know the method. */
  | 'unsupported'
  /** The provider no longer has the state of the block. */
  | 'pruned'
  /** The contract reverted or failed: a valid answer, not a fault. */
  | 'execution'
  /** Refused for any other reason. */
  | 'rejected'
  /** The program is stopping. */
  | 'aborted'

/** Kinds after which the same request may succeed later. */
export const RETRYABLE: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'lagging', 'foreign'])

/** The provider's advice for the next attempt: a maximum number of blocks, a range that works, or a wait. */
export interface RpcHint {
  maxBlocks?: number
  range?: { from: number; to: number }
  retryAfterMs?: number
}

/** A provider fault. Its message never contains the URL, because path and query often hold a key. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly kind: RpcErrorKind
  readonly hint: RpcHint
  /** The block that was asked for; null: none in particular. */
  readonly block: number | null

  constructor(kind: RpcErrorKind, message: string, hint: RpcHint = {}, block: number | null = null) {
    super(message)
    this.kind = kind
    this.hint = hint
    this.block = block
  }
}

/** Whether the same request may succeed later. */
export const isRetryable = (error: unknown): boolean => error instanceof RpcError && RETRYABLE.has(error.kind)

/** Whether a running program waits for the fault to pass. A refused key counts, because the provider may renew it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RpcError && (RETRYABLE.has(error.kind) || error.kind === 'auth')

const KIND_BY_CODE: Readonly<Record<number, RpcErrorKind>> = {
  429: 'rate',
  [-32004]: 'unsupported',
  [-32614]: 'range',
  [-32701]: 'range',
  [-32016]: 'rate',
}

/** The first match wins. A contract's own text follows "reverted", so it comes too late to match as anything else. */
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
  // anvil's message for a pruned block. It is the same for a future block, but we ask for state only at existing
  // blocks.
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

/** The kind of an error; `status` is the HTTP status, `code` the JSON-RPC error code. */
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

/** The advice in the message. Impossible values (a reversed range, zero blocks) are ignored. */
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
