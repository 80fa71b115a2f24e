// Provider faults, and their remedies. `classify.ts` finds the remedy of a refusal, and `hint.ts` the advice in it.

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
  /** The provider no longer has the block's state, or its logs, receipts or body. */
  | 'pruned'
  /** The contract reverted or failed: a valid answer, not a fault. */
  | 'execution'
  /** Refused for any other reason. */
  | 'rejected'
  /** The program is stopping. */
  | 'aborted'

/** Kinds after which the same request may succeed later. */
export const RETRYABLE: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'lagging', 'foreign'])

/** The provider's advice for the next attempt: a block limit, a range that works, a wait, or that there is no answer. */
export interface RpcHint {
  maxBlocks?: number
  range?: { from: number; to: number }
  retryAfterMs?: number
  /** The answer was null: there is no such thing. */
  isNull?: boolean
}

/** A provider fault. Its message never contains the URL, because path and query often hold a key. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly kind: RpcErrorKind
  readonly hint: RpcHint
  /** The block that was asked for; null: none in particular. */
  readonly block: number | null
  /** The data that the contract reverted with; null for any other fault, and for a node that does not tell it. */
  readonly revertData: `0x${string}` | null

  constructor(
    kind: RpcErrorKind,
    message: string,
    hint: RpcHint = {},
    block: number | null = null,
    revertData: `0x${string}` | null = null,
  ) {
    super(message)
    this.kind = kind
    this.hint = hint
    this.block = block
    this.revertData = revertData
  }
}

/** The fault with the block that was asked for. */
export const ofBlock = ({ kind, message, hint, block }: RpcError, number: number): RpcError =>
  new RpcError(kind, message, hint, block ?? number)

/** Whether a running program waits until the fault passes. It waits after a refused key too: the provider may renew it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RpcError && (RETRYABLE.has(error.kind) || error.kind === 'auth')
