// Transactions by their hash. Input: a node's answer. Output: the parts that a check reads.
import { type Address, type Hash, parseAddress } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import type { RpcCall } from '../report.ts'
import type { Reply } from './reply.ts'

export interface SignedTransaction {
  signer: Address
  /** Null: it creates a contract. */
  to: Address | null
  input: Hex
}

export const transactionCall = (hash: Hash): RpcCall => ({ method: 'eth_getTransactionByHash', params: [hash] })

/** Null: the node does not have it. */
export function readTransaction(reply: Reply | undefined): SignedTransaction | null {
  if (reply?.kind !== 'result') return null
  const { from, to, input } = propertiesOf(reply.result)
  const [signer, called] = [from, to].map((each) => (typeof each === 'string' ? parseAddress(each) : null))
  return signer && isHex(input) ? { signer, to: called ?? null, input } : null
}
