// One fault of a provider, declared: which requests it spoils, and what they get instead of the honest answer.

export interface Call {
  id: unknown
  method: string
  params: readonly unknown[]
}

export type Answer = { result: unknown } | { error: { code: number; message: string } }

/** What a whole HTTP request gets instead. */
export type Http =
  | { status: number; body?: string; headers?: Record<string, string> }
  | { reset: true }
  /** Cuts the honest body in half. */
  | { cut: true }
  /** The answers of a batch, or the one answer, in another order or form. */
  | { reshape(answers: readonly object[]): unknown }

export interface Fault {
  name: string
  /** The calls that it spoils; undefined: any. */
  of?: (call: Call) => boolean
  /** The answer to a spoiled call; undefined: the honest one. */
  item?: (call: Call, honest: Answer) => Answer | undefined
  /** The answer to a whole request with a spoiled call. */
  http?: Http
  /** How many requests it spoils; default 1. */
  times?: number
}

/** The calls of this method. */
export const ofMethod =
  (method: string) =>
  (call: Call): boolean =>
    call.method === method

export const isBlock = (call: Call): boolean => call.method === 'eth_getBlockByNumber'
export const isFullBlock = (call: Call): boolean => isBlock(call) && call.params[1] === true
export const isLatest = (call: Call): boolean => isBlock(call) && call.params[0] === 'latest'
export const isTag = (call: Call): boolean => isBlock(call) && call.params[0] === 'finalized'
export const isLogs = ofMethod('eth_getLogs')

/** Logs of more than so many blocks. */
export const isWide =
  (blocks: number) =>
  (call: Call): boolean => {
    const [{ fromBlock, toBlock } = {}] = call.params as { fromBlock?: string; toBlock?: string }[]
    return isLogs(call) && Number(toBlock) - Number(fromBlock) >= blocks
  }

/** Refuses with this JSON-RPC error. */
export const refuse = (code: number, message: string) => (): Answer => ({ error: { code, message } })

/** Changes an honest result; undefined for an error. */
export const change =
  (edit: (result: never) => unknown) =>
  (_: Call, honest: Answer): Answer | undefined =>
    'result' in honest && honest.result !== null ? { result: edit(honest.result as never) } : undefined
