// Calls that a node refuses in words that nobody knows: the contract failed, or the node did. Such a call is made again
// beside one that no contract can spoil. The node is at fault if it refuses that one, too.
import { toAddress } from '../../base/address.ts'
import type { Call, RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'

/** The precompiled contract that answers what it gets; an account without code answers, too. */
const IDENTITY = toAddress(`0x${'4'.padStart(40, '0')}`)
const toControl = (tag: string): Call => ({ method: 'eth_call', params: [{ to: IDENTITY, data: '0x01' }, tag] })

type Ask = (calls: readonly Call[], tag: string) => Promise<RpcAnswer[]>

const isUnknown = (answer: RpcAnswer | undefined): boolean => answer?.error?.kind === 'rejected'

/** Sends calls at the block of a tag. A fault of the node is `transient`, whatever its words. */
export function createConfirmedAsk(rpc: Rpc): Ask {
  /** The words of the last refusal that was a contract's: a node has the same ones for each. */
  let known: string | null = null

  return async (calls, tag) => {
    const answers = await rpc.batch(calls)
    const doubtful = [...answers.keys()].filter((at) => isUnknown(answers[at]) && answers[at]?.error?.message !== known)
    if (doubtful.length === 0) return answers
    const again = await rpc.batch([...doubtful.flatMap((at) => calls[at] ?? []), toControl(tag)])
    const control = again.at(-1)
    const confirmed = [...answers]
    for (const [at, place] of doubtful.entries()) {
      const answer = again[at]
      if (answer === undefined) continue
      const { error } = answer
      const isOfNode = isUnknown(answer) && isUnknown(control)
      confirmed[place] = error && isOfNode ? { error: new RpcError('transient', error.message) } : answer
      if (error && isUnknown(answer) && !isOfNode) known = error.message
    }
    return confirmed
  }
}
