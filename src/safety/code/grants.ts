// Accounts that came to a token after its creation: those that a log admits to a role, and those that minted. Input: the
// token. Output: accounts to try as callers, the newest first; none where the node returns no logs of so many blocks.
import type { Address } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readAddressWord } from '../../chain/contracts/abi.ts'
import { TRANSFER_TOPIC } from '../../chain/contracts/topics.ts'
import { abiWord } from '../../chain/contracts/words.ts'
import { keccakOfText } from '../../chain/keccak.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import type { Reply } from '../node/reply.ts'
import { readTransaction, transactionCall } from '../node/transaction.ts'
import type { SafetyTarget } from '../target.ts'

/** Logs that admit an account: the topic with the account. OpenZeppelin, Solady, MakerDAO and Circle have them. */
const ROLE_LOGS: Readonly<Record<string, number>> = {
  [keccakOfText('RoleGranted(bytes32,address,address)')]: 2,
  [keccakOfText('MinterAdded(address)')]: 1,
  [keccakOfText('PauserAdded(address)')]: 1,
  [keccakOfText('RolesUpdated(address,uint256)')]: 1,
  [keccakOfText('Rely(address)')]: 1,
  [keccakOfText('MinterConfigured(address,uint256)')]: 1,
}
const NOBODY = `0x${'0'.repeat(64)}`
const MAX_GRANTED = 4
const MAX_MINTS = 2

export interface Grants {
  roles: readonly Address[]
  /** Who signed mints after the creation. */
  minters: readonly Address[]
}

/** A node may refuse so many blocks; then nobody is named. */
export async function readGrants(asker: Asker, { token, createdBlock }: SafetyTarget): Promise<Grants> {
  if (createdBlock === null) return { roles: [], minters: [] }
  const logsOf = (topics: readonly unknown[], from: number) => ({
    method: 'eth_getLogs',
    params: [{ address: token, topics, fromBlock: hexQuantity(from), toBlock: asker.block.tag }],
  })
  const [granted, minted] = await asker.ask([
    logsOf([Object.keys(ROLE_LOGS)], createdBlock + 1),
    logsOf([TRANSFER_TOPIC, NOBODY], createdBlock + 1),
  ])
  const hashes = [...new Set(logsIn(minted).map(({ hash }) => hash))].slice(0, MAX_MINTS)
  const replies = await asker.ask(hashes.map(transactionCall))
  return {
    roles: [...new Set(logsIn(granted).flatMap(({ topics }) => grantedIn(topics)))].slice(0, MAX_GRANTED),
    minters: replies.flatMap((reply) => readTransaction(reply)?.signer ?? []),
  }
}

/** The account that a log admits; none for another log. */
export function grantedIn(topics: readonly string[]): Address[] {
  const account = topics[ROLE_LOGS[topics[0] ?? ''] ?? topics.length]
  const address = account === undefined ? null : readAddressWord(account)
  return address && abiWord(address) !== NOBODY.slice(2) ? [address] : []
}

/** The newest first. */
function logsIn(reply: Reply | undefined) {
  const list: unknown[] = reply?.kind === 'result' && Array.isArray(reply.result) ? reply.result : []
  return list.toReversed().flatMap((log) => {
    const { topics, transactionHash: hash } = propertiesOf(log)
    return Array.isArray(topics) && isHex(hash) ? [{ topics: topics.map(String), hash }] : []
  })
}
