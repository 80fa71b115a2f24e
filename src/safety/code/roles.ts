// Who has the roles of a token that the chain runs: they cannot be listed, so the logs name candidates and calls confirm
// them. Input: names of roles. Output: the holders of each at the checked block, and who may grant it.
import { type Address, parseAddress } from '../../base/address.ts'
import { itemAt } from '../../base/item-at.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { abiWord, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { keccakOfText } from '../../chain/keccak.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyTarget } from '../target.ts'

export interface RoleHolders {
  name: string
  /** Whether logs and calls told it: only then is nobody nobody. */
  isRead: boolean
  holders: readonly Address[]
  /** Who may grant the role. */
  admins: readonly Address[]
  /** The call that confirms the first holder, or refuses the first candidate; of the admins likewise. */
  call: RpcCall | null
  adminCall: RpcCall | null
}

export interface Roles {
  holders: readonly RoleHolders[]
  of(name: string): RoleHolders
  /** Who may grant every role. */
  admin: Address | null
}

const GRANTED = keccakOfText('RoleGranted(bytes32,address,address)')
const REVOKED = keccakOfText('RoleRevoked(bytes32,address,address)')
const HAS_ROLE = selectorOf('hasRole(bytes32,address)')
const ROLE_ADMIN = selectorOf('getRoleAdmin(bytes32)')
/** The admin of all roles. */
const ADMIN: Hex = `0x${'0'.repeat(64)}`
/** The newest of a role; more have it no less, but one holder is enough for a power. */
const MAX_CANDIDATES = 4

export async function readRoles(asker: Asker, target: SafetyTarget, names: readonly string[]): Promise<Roles> {
  const { token } = target
  const call = (data: Hex): RpcCall => ({
    method: 'eth_call',
    params: [{ to: token, data, gas: READ_GAS }, asker.block.tag],
  })
  const ids = names.map((name) => keccakOfText(name))
  const [logs, ...adminReplies] = await asker.ask([
    logsCall(asker, target),
    ...ids.map((id) => call(`${ROLE_ADMIN}${id.slice(2)}`)),
  ])
  const granted = readGrants(logs)
  const adminOf = new Map(ids.map((id, at) => [id, roleOf(adminReplies[at]) ?? ADMIN]))
  const wanted = [...new Set([...ids, ...adminOf.values(), ADMIN])]
  const pairs = wanted.flatMap((id) => candidatesOf(granted?.get(id), target).map((account) => ({ id, account })))
  const calls = pairs.map(({ id, account }) => call(`${HAS_ROLE}${id.slice(2)}${abiWord(account)}`))
  const replies = await asker.ask(calls)
  const told = (id: Hex) => {
    const answers = pairs.flatMap((pair, at) =>
      pair.id === id ? [{ ...pair, has: flagOf(replies[at]), call: calls[at] ?? null }] : [],
    )
    const having = answers.filter(({ has }) => has === true)
    return {
      holders: having.map(({ account }) => account),
      call: (having[0] ?? answers[0])?.call ?? logs?.call ?? null,
      isRead: granted !== null && answers.every(({ has }) => has !== null),
    }
  }
  const holders = names.map((name, at): RoleHolders => {
    const id = itemAt(ids, at)
    const [role, admin] = [told(id), told(adminOf.get(id) ?? ADMIN)]
    return { name, ...role, isRead: role.isRead && admin.isRead, admins: admin.holders, adminCall: admin.call }
  })
  const none: RoleHolders = { name: '', isRead: false, holders: [], admins: [], call: null, adminCall: null }
  return {
    holders,
    of: (name) => holders.find((each) => each.name === name) ?? none,
    admin: told(ADMIN).holders[0] ?? null,
  }
}

/** All grants since the creation, before which there were none. */
const logsCall = (asker: Asker, { token, createdBlock }: SafetyTarget): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    {
      address: token,
      topics: [[GRANTED, REVOKED]],
      fromBlock: hexQuantity(createdBlock ?? 0),
      toBlock: asker.block.tag,
    },
  ],
})

const topicsOf = (log: unknown): string[] => {
  const { topics } = propertiesOf(log)
  return Array.isArray(topics) ? topics.map(String) : []
}

/** By role, the accounts whose newest log grants it, the newest first. Null: the node gives no logs. */
function readGrants(reply: Reply | undefined): Map<Hex, Address[]> | null {
  if (reply?.kind !== 'result' || !Array.isArray(reply.result)) return null
  const grants = new Map<Hex, Set<Address>>()
  for (const log of reply.result) {
    const [topic, role, account] = topicsOf(log)
    const address = parseAddress(`0x${account?.slice(26) ?? ''}`)
    if (!isHex(role) || !address) continue
    const accounts = grants.get(role) ?? new Set()
    accounts.delete(address)
    if (topic === GRANTED) accounts.add(address)
    grants.set(role, accounts)
  }
  return new Map([...grants].map(([role, accounts]) => [role, [...accounts].reverse()]))
}

/** Those that the logs name; else whoever may have been born with the role. */
function candidatesOf(granted: readonly Address[] | undefined, { deployer, insiders }: SafetyTarget): Address[] {
  const known = [...(granted ?? []), ...(deployer ? [deployer] : []), ...insiders]
  return [...new Set(known)].slice(0, MAX_CANDIDATES)
}

const flagOf = (reply: Reply | undefined): boolean | null => {
  const word = reply?.kind === 'result' ? readUint(reply.result) : null
  return word === null ? null : word !== 0n
}

function roleOf(reply: Reply | undefined): Hex | null {
  const word = reply?.kind === 'result' ? readUint(reply.result) : null
  return word === null ? null : `0x${word.toString(16).padStart(64, '0')}`
}
