// The messages between the program and the thread that reads the chain. Structured clone carries them. Blocks are
// packed for speed. Errors are taken apart, because cloning would drop their class.
import { StartupError } from '../../base/errors.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import type { ChainReader } from '../contracts/reader.ts'
import { RpcError, type RpcErrorKind, type RpcHint } from '../rpc/error.ts'
import type { SentRequest } from '../rpc/sent.ts'
import type { Spell, Trouble } from '../rpc/trouble.ts'
import type { Source } from '../source/source.ts'
import type { Connected } from './connect.ts'

/** The first message to the thread. */
export interface ThreadData {
  urls: readonly string[]
  /** The text of CHAIN_CONFIG. */
  override: string | undefined
  historyFiles?: string | undefined
  receiptsShare?: number | undefined
  hasTraces?: boolean | undefined
}

type Promised<Method> = Method extends (...args: infer Args) => Promise<infer Value> ? (...args: Args) => Value : never

/** The questions by name, with their arguments and answers. */
export type Questions = {
  [Name in 'readHead' | 'readTip' | 'readFinalized' | 'readLinks']: Promised<Source[Name]>
} & { [Name in keyof ChainReader]: Promised<ChainReader[Name]> } & {
  readRange(from: number, to: number): PackedBlocks
  readWindow(from: number, to: number): PackedBlocks
  connect(): Pick<Connected, 'preset' | 'files'>
}

export type QuestionName = keyof Questions

/** A question, or the request to stop. */
export type ToThread = { id: number; name: QuestionName; args: readonly unknown[] } | { stop: true }

/** An answer, an error, or a report. `rangeSize` is the source's. */
export type FromThread =
  | { id: number; value: unknown; rangeSize: number }
  | { id: number; fault: SentError; rangeSize: number }
  | { trouble: Trouble }
  | { sent: SentRequest }
  | { spell: Spell }
  | { notice: string; isOver: boolean }

/** An error in a form that can be cloned. */
export interface SentError {
  message: string
  rpc?: { kind: RpcErrorKind; hint: RpcHint; block: number | null }
  exitCode?: number
  stack?: string | undefined
}

/** Takes the error apart, so that it can be sent. */
export function sendError(error: unknown): SentError {
  if (error instanceof RpcError) {
    const { message, kind, hint, block } = error
    return { message, rpc: { kind, hint, block } }
  }
  if (error instanceof StartupError) return { message: error.message, exitCode: error.exitCode }
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
}

/** Rebuilds the error with its class. */
export function receiveError({ message, rpc, exitCode, stack }: SentError): Error {
  if (rpc) return new RpcError(rpc.kind, message, rpc.hint, rpc.block)
  if (exitCode !== undefined) return new StartupError(message, exitCode)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
