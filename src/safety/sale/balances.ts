// Balances by the contract beside those by the ledger. Input: holders. Output: both amounts of each.
import type { Address } from '../../base/address.ts'
import { encodeCall, readUint, SELECTORS } from '../../chain/contracts/abi.ts'
import type { Asker } from '../node/asker.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyHolder } from '../target.ts'
import { READ_GAS } from './gas.ts'

export interface HeldBalance {
  holder: Address
  /** Raw units, by the ledger. */
  expected: bigint
  /** By the contract; null if it does not answer. */
  found: bigint | null
  call: RpcCall
}

export async function askBalances(
  asker: Asker,
  token: Address,
  holders: readonly SafetyHolder[],
): Promise<HeldBalance[]> {
  const replies = await asker.ask(
    holders.map(({ address }) => ({
      method: 'eth_call',
      params: [{ to: token, data: encodeCall(SELECTORS.balanceOf, address), gas: READ_GAS }, asker.block.tag],
    })),
  )
  return holders.flatMap(({ address, balance }, at) => {
    const reply = replies[at]
    if (!reply || reply.kind === 'failed') return []
    const found = reply.kind === 'result' ? readUint(reply.result) : null
    return [{ holder: address, expected: balance, found, call: reply.call }]
  })
}
