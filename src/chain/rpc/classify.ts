// Classifies a refusal by the remedy. Input: HTTP status, method, and the JSON-RPC error. Output: an `RpcErrorKind`.
// Structure decides first: codes that have one meaning, the method, the data of a revert. Words decide the rest, because
// providers share no codes. Only the node's own words count: neither names of methods nor the text of a contract.
import type { RpcErrorKind } from './error.ts'
import { revertDataOf } from './revert-data.ts'

export interface RpcRefusal {
  /** The HTTP status; 0 without one. */
  status: number
  /** The method of the refused call; undefined for a whole batch. */
  method?: string | undefined
  /** Whether it is a JSON-RPC error. Otherwise `message` is the body, such as a proxy's page. */
  isRpc: boolean
  code: number | null
  message: string
  data?: unknown
}

/** Methods that run a contract's code. */
const RUNS = /^(eth_call|eth_estimateGas|eth_simulateV1|eth_createAccessList|debug_trace\w*)$/

const KIND_BY_CODE: Readonly<Record<number, RpcErrorKind>> = {
  4444: 'pruned',
  [-32004]: 'unsupported',
  [-32005]: 'rate',
  [-32016]: 'rate',
  [-32614]: 'range',
  [-32701]: 'range',
}

/** Stands for the name of any method. */
const METHOD = 'METHOD'

/** The first match wins. The order matters: a message may name several things, such as a range and its results. */
const KIND_BY_WORDS: readonly (readonly [RpcErrorKind, RegExp])[] = [
  [
    'unsupported',
    /\bmethod\b((?!range).){0,40}(not|n't) (be )?(found|supported|available|allowed|exist|implemented|whitelisted)/i,
  ],
  ['unsupported', /\bmethod\b.{0,20}(unsupported|disabled|unavailable)|(unsupported|unknown|no such) method/i],
  ['unsupported', /not (been )?implemented/i],
  [
    'batch',
    /(max|maximum) batch|batch.*(limit|large|size|many|support|allowed|disabled|exceed)|(too many|limit|no|max).*batch/i,
  ],
  ['lagging', /beyond (the )?(current )?head|header (for hash )?not found|(unknown|missing) (block|header)\b/i],
  ['lagging', /\bblock(hash)?\b[^.]{0,40} (not|cannot be|could not be) found|invalid block tag \w+\. latest block/i],
  ['lagging', /cannot (find|query).*(block|unfinalized)|after last accepted block/i],
  ['lagging', /\bblock( number)?( \w+)? (is )?not (yet )?available/i],
  ['pruned', /missing trie node|state[^.]{0,60}(not available|unavailable|pruned|missing)|prun(ed|ing)|archive/i],
  ['pruned', /historical (state|data)|history[^.]{0,40}(unavailable|not available)/i],
  ['size', /more than [\d,]+ (results|logs)|max(imum)? (results|logs)|too many (results|logs)|response size/i],
  ['size', /response.*too (large|big)|result (set )?(is )?too (large|big)|limit of [\d,]+ logs|body size/i],
  ['size', /more than (the )?allowed number of (logs|results)/i],
  ['size', /\blogs .*exceeds? (the )?limit|query (timeout exceeded|timed out|took too long)|timeout.*smaller range/i],
  ['range', /range (is )?(too )?(wide|large|big|exceed)|(block|max|maximum|exceeds?|limited|limit|up to).*range/i],
  ['range', /range.*(limit|max|at most|exceed|more than)|(limited to|at most) [\d,]+ ?k? blocks?|too many blocks/i],
  ['range', /ranges? over|(maximum|max) allowed .*(blocks|rounds)/i],
  ['range', /blocks distance|smaller than size/i],
  ['rate', /rate.?limit|too many requests|request limit|limit exceeded|throughput|compute units|per second|quota/i],
  ['rate', /credits|request (count|rate) (is )?exceeded/i],
  ['transient', /no (healthy )?backend|backend (is )?offline|(temporarily|service) unavailable|try again later/i],
  ['auth', /(invalid|missing|unknown|expired)[^.]{0,30}(api.?key|(access|auth|api) token|project)/i],
  ['auth', /unauthori[sz]ed|forbidden|authenticat|access denied/i],
]

/** A page or text of a proxy can mean these. It knows nothing about blocks and methods. */
const OF_PROXIES: ReadonlySet<RpcErrorKind> = new Set(['rate', 'auth', 'size', 'range', 'batch'])

/** Words of the EVM, and of nodes about it. */
const OF_EXECUTION =
  /revert|\bvm (exception|execution)|evm error|opcode|out ?of ?gas|stack (under|over)flow|stack limit|invalid jump|intrinsic gas|gas uint64 overflow|execution aborted/i
/** The sender cannot pay the gas or the value: the contract was not asked. */
const OF_POVERTY = /insufficient (sender )?(funds|balance)|OutOfFunds|exceeds account balance|max fee per gas less/i

/** The kind of a refusal. */
export function classify({ status, method, isRpc, code, message, data }: RpcRefusal): RpcErrorKind {
  if (status === 429 || code === 429) return 'rate'
  const words = ownWords(message, method)
  const told = ofWords(words, method)
  if (!isRpc) return ofStatus(status) ?? (status > 0 && told && OF_PROXIES.has(told) ? told : 'transient')
  if (code === -32601) return 'unsupported'
  if (method === undefined || RUNS.test(method)) {
    if (OF_POVERTY.test(words)) return 'rejected'
    if (code === 3 || code === -32015 || revertDataOf(data) !== null || OF_EXECUTION.test(words)) return 'execution'
  }
  return told ?? KIND_BY_CODE[code ?? 0] ?? ofStatus(status) ?? (code === -32603 ? 'transient' : 'rejected')
}

function ofWords(words: string, method: string | undefined): RpcErrorKind | undefined {
  // anvil has the same words for a block above its head and for one whose state it dropped.
  const [, height, asked] = /block height is (\d+) but requested was (\d+)/i.exec(words) ?? []
  if (height && asked) return Number(asked) > Number(height) ? 'lagging' : 'pruned'
  // For logs this limits blocks or results, and for other methods the requests of a time.
  if (method === 'eth_getLogs' && /^limit exceeded$/i.test(words)) return 'size'
  return KIND_BY_WORDS.find(([, pattern]) => pattern.test(words))?.[0]
}

function ofStatus(status: number): RpcErrorKind | undefined {
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 413) return 'size'
  return status >= 500 || status === 408 ? 'transient' : undefined
}

/**
 * The node's own words. Names of methods contain words such as "block". A contract wrote what follows "revert", so the
 * words end there.
 */
function ownWords(message: string, method: string | undefined): string {
  const [own = ''] = message.split(/(?<=revert)/i)
  const named = method === undefined ? own : own.replaceAll(method, METHOD)
  return named.replace(/\b[a-z][a-z0-9]*_[a-z]\w*/gi, METHOD).trim()
}
