// Tokens that left a holder without its consent. Input: the newest transfers out of other accounts. Output: those that
// somebody else signed, and whom the holder never approved. Where the signer called the token itself, only an approval
// of the signer counts; elsewhere any approval does, because the contracts in between are unknown.
import type { Address } from '../../base/address.ts'
import { APPROVAL_TOPIC, AUTHORIZED_OPERATOR_TOPIC } from '../../chain/contracts/topics.ts'
import { abiWord } from '../../chain/contracts/words.ts'
import { codeCall } from '../code/proxy.ts'
import type { Asker } from '../node/asker.ts'
import { readTransaction, type SignedTransaction, transactionCall } from '../node/transaction.ts'
import type { RpcCall } from '../report.ts'
import type { RecentMove, SafetyTarget } from '../target.ts'
import { approves, findRobbed, type PulledTransfer, type TakenTransfer } from './find-robbed.ts'
import { isSignedCall } from './signed-call.ts'

/** Transactions and transfers that are asked for. */
const MAX_TRANSACTIONS = 6
const MAX_ASKED = 3

export async function findTaken(
  asker: Asker,
  { token, moves, deployer, insiders }: Pick<SafetyTarget, 'token' | 'moves' | 'deployer' | 'insiders'>,
): Promise<readonly TakenTransfer[]> {
  const hashes = [...new Set(moves.map(({ txHash }) => txHash))].slice(0, MAX_TRANSACTIONS)
  const replies = await asker.ask(hashes.map(transactionCall))
  const transactions = new Map(hashes.map((hash, at) => [hash, readTransaction(replies[at])]))
  const unsigned = moves.flatMap((move) => {
    const transaction = transactions.get(move.txHash)
    return transaction && isUnsigned(move, transaction)
      ? [{ move, transaction, call: approvalsCall(token, move, transaction) }]
      : []
  })
  const asked = await askConsent(asker, unsigned.slice(0, MAX_ASKED))
  const pulled = asked.flatMap(({ move, transaction: { signer, to }, approvals }): PulledTransfer[] =>
    to !== null && to !== token && approves(approvals, to) ? [{ move, signer, puller: to }] : [],
  )
  const others = new Set([...insiders, ...(deployer ? [deployer] : [])])
  return [
    ...asked.filter(({ approvals }) => approvals.length === 0),
    ...(await findRobbed(asker, token, pulled, others)),
  ]
}

interface UnsignedTransfer extends TakenTransfer {
  transaction: SignedTransaction
}

/** The approvals of each holder that is no contract: a contract would have moved its tokens itself. */
async function askConsent(asker: Asker, asked: readonly UnsignedTransfer[]) {
  const replies = await asker.ask(asked.flatMap(({ move, call }) => [call, codeCall(asker, move.from)]))
  return asked.flatMap((each, at) => {
    const [approvals, code] = replies.slice(2 * at, 2 * at + 2)
    const list: unknown = approvals?.kind === 'result' ? approvals.result : null
    const isAccount = code?.kind === 'result' && code.result === '0x'
    return isAccount && Array.isArray(list) ? [{ ...each, approvals: list.map((log: unknown) => log) }] : []
  })
}

/**
 * A holder whose account is called, or whose signature a relayer hands in, acts itself. The creation of a contract tells
 * nothing.
 */
const isUnsigned = ({ from }: RecentMove, { signer, to, input }: SignedTransaction): boolean =>
  to !== null && signer !== from && to !== from && !isSignedCall(input)

/** All approvals until then, because a holder may have given one before anybody could trade. */
function approvalsCall(token: Address, { from, block }: RecentMove, { signer, to }: SignedTransaction): RpcCall {
  const [owner, mover] = [`0x${abiWord(from)}`, `0x${abiWord(signer)}`]
  const both = [owner, mover]
  // ERC-777 names the operator first.
  const topics = to === token ? [[APPROVAL_TOPIC, AUTHORIZED_OPERATOR_TOPIC], both, both] : [APPROVAL_TOPIC, owner]
  return {
    method: 'eth_getLogs',
    params: [{ address: token, topics, fromBlock: '0x0', toBlock: `0x${block.toString(16)}` }],
  }
}
