// Calls that a node refuses in words that nobody knows, or answers without bytes: the contract failed, or the node did.
// Such a call is made again beside one that no contract can spoil, some times, because a flaky node refuses at random. The
// node is at fault if that one fails likewise.
import { toAddress } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'

/** The precompiled contract that answers what it gets; an account without code answers, too. */
const IDENTITY = toAddress(`0x${'4'.padStart(40, '0')}`)
const CONTROLS = {
  eth_call: (tag: string): Call => ({ method: 'eth_call', params: [{ to: IDENTITY, data: '0x01' }, tag] }),
  eth_getCode: (tag: string): Call => ({ method: 'eth_getCode', params: [IDENTITY, tag] }),
}

/** A contract refuses each time. */
const CONFIRMATIONS = 3

type Ask = (calls: readonly Call[], tag: string) => Promise<RpcAnswer[]>

/** Null, or what else is no bytes, has no words: it stands for them. */
const wordsOf = (answer: RpcAnswer | undefined): string | null => {
  if (answer === undefined) return null
  if (isAnswered(answer)) return isHex(answer.result) ? null : 'the answer is no bytes'
  return answer.error.kind === 'rejected' ? answer.error.message : null
}

/** Sends calls of one method at the block of a tag. A fault of the node is `transient`, whatever its words. */
export function createConfirmedAsk(rpc: Rpc, method: keyof typeof CONTROLS): Ask {
  /** The words of the last refusal that was a contract's: a node has the same ones for each. */
  let known: string | null = null

  return async (calls, tag) => {
    const answers = await rpc.batch(calls)
    let doubtful = [...answers.keys()].filter((at) => {
      const words = wordsOf(answers[at])
      return words !== null && words !== known
    })
    for (let left = CONFIRMATIONS; left > 0 && doubtful.length > 0; left -= 1) {
      const again = await rpc.batch([...doubtful.flatMap((at) => calls[at] ?? []), CONTROLS[method](tag)])
      const isOfNode = wordsOf(again.at(-1)) !== null
      doubtful = doubtful.filter((place, at) => {
        const answer = again[at] ?? NO_ANSWER
        const words = wordsOf(answer)
        answers[place] = words !== null && isOfNode ? { error: new RpcError('transient', words) } : answer
        return words !== null && !isOfNode
      })
    }
    for (const at of doubtful) known = wordsOf(answers[at])
    return answers
  }
}
