// Finds out which old blocks a provider has: their bodies, logs and receipts. Nodes drop each of them after a time, and some
// answer with an empty list then. Input: questions to a provider, and a block. Output: the oldest block with each.
import { propertiesOf } from '../../base/json.ts'
import { hexQuantity, readNumber } from '../raw.ts'
import { isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { RpcErrorKind } from '../rpc/error.ts'

/** What a provider has of old blocks. */
export interface OldBlocks {
  /** The oldest block that was asked for. */
  from: number
  /** The oldest block that it has, and the oldest one whose logs it has; null: its answers do not tell. */
  blocks: number | null
  logs: number | null
  /** The oldest block whose receipts it has; null: its answers do not tell, or it does not know the method. */
  receipts: number | null
}

/** Null: the answer does not tell. */
type Told = boolean | null

export type AskProvider = (method: string, ...params: unknown[]) => Promise<RpcAnswer>

/** Distances at which a block with a log is looked for: ahead, and from the newest blocks a little back. */
const STEPS = [0, ...Array.from({ length: 21 }, (_, power) => 2 ** power)]
const FARTHEST_BACK = 64
/** After these faults a later answer may be another one. */
const UNANSWERED: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'auth', 'foreign', 'aborted', 'batch'])

/** Asks some dozens of questions at most, where something is missing; otherwise about five. */
export async function findOldBlocks(ask: AskProvider, from: number, head: number): Promise<OldBlocks> {
  const blocks = await findOldest(from, head, async (at) =>
    tellOf(await ask('eth_getBlockByNumber', hexQuantity(at), false)),
  )
  const first = blocks ?? from
  const inLogged = (tell: (block: Header) => Promise<Told>) => async (at: number) => {
    const block = await findLogged(ask, at, head)
    return block && tell(block)
  }
  return {
    from,
    blocks,
    logs: await findOldest(
      first,
      head,
      inLogged(({ number }) => tellLogs(ask, number)),
    ),
    receipts: await findOldest(
      first,
      head,
      inLogged((block) => tellReceipts(ask, block)),
    ),
  }
}

/** The oldest block for which the answer is yes, by halving; null if an answer does not tell, or none is yes. */
async function findOldest(from: number, head: number, has: (at: number) => Promise<Told>): Promise<number | null> {
  const first = await has(from)
  if (first !== false) return first ? from : null
  let [lacking, having] = [from, head]
  if ((await has(head)) !== true) return null
  while (having - lacking > 1) {
    const middle = Math.floor((lacking + having) / 2)
    const told = await has(middle)
    if (told === null) return null
    if (told) having = middle
    else lacking = middle
  }
  return having
}

interface Header {
  number: number
  transactionCount: number
}

/** The block, or one near it that has logs by its bloom; null if none was found. */
async function findLogged(ask: AskProvider, at: number, head: number): Promise<Header | null> {
  const later = STEPS.filter((step) => at + step <= head)
  const earlier = STEPS.filter((step) => step > 0 && step <= FARTHEST_BACK && step <= at)
  for (const number of [...later.map((step) => at + step), ...earlier.map((step) => at - step)]) {
    const answer = await ask('eth_getBlockByNumber', hexQuantity(number), false)
    if (!isAnswered(answer)) return null
    const { logsBloom, transactions } = propertiesOf(answer.result)
    if (typeof logsBloom === 'string' && /[1-9a-f]/i.test(logsBloom.slice(2)) && Array.isArray(transactions))
      return { number, transactionCount: transactions.length }
  }
  return null
}

/** Its bloom is not empty, so an empty list lacks logs. A refusal for its size shows that the logs are there. */
async function tellLogs(ask: AskProvider, number: number): Promise<Told> {
  const answer = await ask('eth_getLogs', { fromBlock: hexQuantity(number), toBlock: hexQuantity(number) })
  if (isAnswered(answer)) return Array.isArray(answer.result) && answer.result.length > 0
  return answer.error.kind === 'size' ? true : tellOf(answer)
}

async function tellReceipts(ask: AskProvider, { number, transactionCount }: Header): Promise<Told> {
  const answer = await ask('eth_getBlockReceipts', hexQuantity(number))
  if (isAnswered(answer)) return Array.isArray(answer.result) && answer.result.length === transactionCount
  return answer.error.kind === 'unsupported' ? null : tellOf(answer)
}

const tellOf = (answer: RpcAnswer): Told => {
  if (!isAnswered(answer)) return UNANSWERED.has(answer.error.kind) ? null : false
  return readNumber(propertiesOf(answer.result).number) !== null
}
