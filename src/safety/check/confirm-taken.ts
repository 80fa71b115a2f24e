// Whether accounts that lost tokens ever approved a spender. Input: transfers that their owners did not sign. Output:
// the transfers without a logged approval of the owner. Nothing is confirmed if the node refuses so wide a range of
// logs.
import type { Address } from '../../base/address.ts'
import type { TakenTransfer } from '../log-facts.ts'
import type { Asker } from '../node/asker.ts'
import { APPROVAL_TOPIC } from '../node/topics.ts'
import { abiWord } from '../node/words.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyTarget } from '../target.ts'

const MAX_ASKED = 3

/** A transfer, and the call that lists no approval of its owner. */
export interface ConfirmedTaken {
  transfer: TakenTransfer
  call: RpcCall
}

export async function confirmTaken(asker: Asker, { token, logs }: SafetyTarget): Promise<readonly ConfirmedTaken[]> {
  if (!logs || logs.taken.length === 0) return []
  const taken = logs.taken.map((transfer) => ({
    transfer,
    call: approvalsCall(token, transfer, logs.launchedBlock),
  }))
  if (logs.approvalsKnown) return taken
  const asked = taken.slice(0, MAX_ASKED)
  const replies = await asker.ask(asked.map(({ call }) => call))
  return asked.filter((_, at) => {
    const reply = replies[at]
    return reply?.kind === 'result' && Array.isArray(reply.result) && reply.result.length === 0
  })
}

const approvalsCall = (token: Address, { from, block }: TakenTransfer, launchedBlock: number): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    {
      address: token,
      topics: [APPROVAL_TOPIC, `0x${abiWord(from)}`],
      fromBlock: `0x${Math.min(launchedBlock, block).toString(16)}`,
      toBlock: `0x${block.toString(16)}`,
    },
  ],
})
