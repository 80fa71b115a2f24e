// Whether accounts that lost tokens ever approved a spender. Input: transfers that their owners did not sign. Output:
// the transfers without a logged approval of the owner. Nothing is confirmed if the node refuses so wide a range of
// logs.

import { keccakOfText } from '../../chain/keccak.ts'
import type { TakenTransfer } from '../log-facts.ts'
import type { Asker } from '../node/asker.ts'
import { abiWord } from '../node/words.ts'
import type { SafetyTarget } from '../target.ts'

const APPROVAL = keccakOfText('Approval(address,address,uint256)')
const MAX_ASKED = 3

export async function confirmTaken(asker: Asker, { token, logs }: SafetyTarget): Promise<readonly TakenTransfer[]> {
  if (!logs || logs.taken.length === 0) return []
  if (logs.approvalsKnown) return logs.taken
  const asked = logs.taken.slice(0, MAX_ASKED)
  const replies = await asker.ask(
    asked.map(({ from, block }) => ({
      method: 'eth_getLogs',
      params: [
        {
          address: token,
          topics: [APPROVAL, `0x${abiWord(from)}`],
          fromBlock: `0x${Math.min(logs.launchedBlock, block).toString(16)}`,
          toBlock: `0x${block.toString(16)}`,
        },
      ],
    })),
  )
  return asked.filter((_, at) => {
    const reply = replies[at]
    return reply?.kind === 'result' && Array.isArray(reply.result) && reply.result.length === 0
  })
}
