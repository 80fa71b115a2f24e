// Tokens that the chain itself runs: B20 of Base, CAS20 of BSC. The address answers calls, but its code is one byte, so
// no code tells what somebody can do to holders. Input: the target. Output: powers from roles and policies, each
// confirmed by a call at the checked block, and the list of these sources. (base-std, B20 and PolicyRegistry; BEP-702.)
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { itemAt } from '../../base/item-at.ts'
import type { PowerKind } from '../../base/vocabulary.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { keccakOfText } from '../../chain/keccak.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { NativeKind, Power, RpcCall } from '../report.ts'
import type { SafetyTarget } from '../target.ts'
import type { HolderFact } from './conclude.ts'
import { classifyHolders } from './keepers.ts'
import { codeCall, hexOf } from './proxy.ts'
import { type RoleHolders, readRoles } from './roles.ts'

export interface NativeFamily {
  kind: NativeKind
  /** Its tokens' addresses begin so. */
  prefix: string
  /** The contract that keeps the lists of who may send and receive. */
  registry: Address
}

/** The one byte that stands for code of the node. */
const NATIVE_CODE = '0xef'

const FAMILIES: readonly NativeFamily[] = [
  { kind: 'b20', prefix: `0xb2${'00'.repeat(9)}`, registry: toAddress('0x8453000000000000000000000000000000000002') },
  {
    kind: 'cas20',
    prefix: `0xca52${'00'.repeat(8)}`,
    registry: toAddress('0x7020000000000000000000000000000000000002'),
  },
]

/** Null: no such token that is known here. */
export const familyOf = (token: Address, code: Hex): NativeFamily | null =>
  code === NATIVE_CODE ? (FAMILIES.find(({ prefix }) => token.startsWith(prefix)) ?? null) : null

/** What each role may do to holders. */
const ROLES: readonly { name: string; kind: PowerKind }[] = [
  { name: 'MINT_ROLE', kind: 'mint' },
  { name: 'PAUSE_ROLE', kind: 'pause' },
  { name: 'SEIZE_ROLE', kind: 'take' },
  { name: 'BURN_BLOCKED_ROLE', kind: 'destroy' },
]
/** The lists that a transfer asks: whoever keeps one can block holders, by a log at the registry alone. */
const SCOPES = ['TRANSFER_SENDER_POLICY', 'TRANSFER_RECEIVER_POLICY', 'TRANSFER_EXECUTOR_POLICY'] as const
const SEIZE_SCOPE = 'SEIZE_EXEMPT_POLICY'
/** Of `isPaused(uint8)`, in the order of its numbers. */
const FEATURES = ['transfer', 'mint', 'burn', 'seize'] as const

const POLICY_ID = selectorOf('policyId(bytes32)')
const POLICY_ADMIN = selectorOf('policyAdmin(uint64)')
const IS_PAUSED = selectorOf('isPaused(uint8)')
const SUPPLY_CAP = selectorOf('supplyCap()')
const NO_CAP = 2n ** 128n - 1n
/** Everybody may: no list is asked. */
const ALLOWS_ALL = 0n
/** The type in a policy's top byte, without the bit that inverts it; from 2 on it joins others. */
const typeOf = (id: bigint): bigint => (id >> 56n) & 0x7fn
const JOINED = 2n

export interface NativeAnswers {
  powers: readonly Power[]
  /** The roles, policies and features that answered. Empty: nothing is known. */
  read: readonly string[]
  /** Whether all roles and policies of a transfer were read. Only then is a power absent that is not listed. */
  isComplete: boolean
  /** Who may grant every role; null: nobody, or unknown. */
  admin: Address | null
}

interface Policy {
  scope: string
  id: bigint
  /** Null: nobody answered. */
  admin: Address | null
  call: RpcCall
}

export async function readNative(asker: Asker, target: SafetyTarget, family: NativeFamily): Promise<NativeAnswers> {
  const { token } = target
  const roles = await readRoles(
    asker,
    target,
    ROLES.map(({ name }) => name),
  )
  const policies = await readPolicies(asker, token, family.registry)
  const facts = await factsOf(asker, [
    ...roles.holders.flatMap(({ holders, admins }) => [...holders, ...admins]),
    ...policies.map(({ admin }) => admin),
  ])
  const state = await readState(asker, token)
  const powers = [
    ...ROLES.flatMap(({ name, kind }) => rolePowers({ token, facts, policies }, kind, roles.of(name))),
    ...blacklists({ token, registry: family.registry, facts, policies }, roles.of(ROLES[0]?.name ?? '')),
  ]
  const read = [
    ...roles.holders.filter(({ isRead }) => isRead).map(({ name }) => name),
    ...policies.map(({ scope, id }) => `${scope}: ${id === ALLOWS_ALL ? 'everybody' : `policy ${id}`}`),
    ...state,
  ]
  const isComplete = roles.holders.every(({ isRead }) => isRead) && policies.length === SCOPES.length + 1
  return { powers, read, isComplete, admin: roles.admin }
}

const ask = (to: Address, data: Hex, { block }: Asker): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, gas: READ_GAS }, block.tag],
})
const wordOf = (reply: Reply | undefined): bigint | null => (reply?.kind === 'result' ? readUint(reply.result) : null)

/** A call of a word that is a hash. */
const hashCall = (selector: Hex, name: string): Hex => `${selector}${keccakOfText(name).slice(2)}`

/** Only those that answered. */
async function readPolicies(asker: Asker, token: Address, registry: Address): Promise<Policy[]> {
  const scopes = [...SCOPES, SEIZE_SCOPE]
  const replies = await asker.ask(scopes.map((scope) => ask(token, hashCall(POLICY_ID, scope), asker)))
  const found = scopes.flatMap((scope, at) => {
    const id = wordOf(replies[at])
    return id === null ? [] : [{ scope, id }]
  })
  const calls = found.map(({ id }) => ask(registry, callData(POLICY_ADMIN, id), asker))
  const admins = await asker.ask(calls)
  return found.map(({ scope, id }, at) => {
    const admin = wordOf(admins[at])
    const address = admin === null ? null : toAddress(`0x${admin.toString(16).padStart(40, '0').slice(-40)}`)
    return { scope, id, admin: address, call: itemAt(calls, at) }
  })
}

async function readState(asker: Asker, token: Address): Promise<string[]> {
  const replies = await asker.ask([
    ...FEATURES.map((_, at) => ask(token, callData(IS_PAUSED, at), asker)),
    ask(token, callData(SUPPLY_CAP), asker),
  ])
  const paused = FEATURES.flatMap((feature, at) => {
    const word = wordOf(replies[at])
    return word === null ? [] : [`${feature}: ${word === 0n ? 'not paused' : 'paused'}`]
  })
  const cap = wordOf(replies[FEATURES.length])
  return [...paused, ...(cap === null ? [] : [cap >= NO_CAP ? 'no supply cap' : `supply cap ${cap}`])]
}

/** The kinds of the holders: a contract may be a timelock. */
async function factsOf(asker: Asker, found: readonly (Address | null)[]): Promise<Map<Address, HolderFact>> {
  const addresses = [...new Set(found)].filter((each): each is Address => each !== null && each !== ZERO_ADDRESS)
  const codes = await asker.ask(addresses.map((address) => codeCall(asker, address)))
  return classifyHolders(
    asker,
    addresses.map((address, at) => ({ address, as: 'role' as const, isContract: (hexOf(codes[at]) ?? '0x') !== '0x' })),
  )
}

interface Known {
  token: Address
  facts: ReadonlyMap<Address, HolderFact>
  policies: readonly Policy[]
}

type Held = Pick<Power, 'kind' | 'function' | 'contract' | 'call'> & { holder: Address | null; renounced?: boolean }

const toPower = ({ facts }: Pick<Known, 'facts'>, { holder, renounced = false, ...power }: Held): Power => {
  const fact = holder ? facts.get(holder) : undefined
  const known = { holderKind: fact?.kind ?? ('unknown' as const), delaySeconds: fact?.delaySeconds ?? 0 }
  return { ...power, holder, renounced, ...known, hidden: false, proven: false }
}

/** Who has the role; else who may grant it; else nobody, if that was read. An unread role is no power. */
function rolePowers(known: Known, kind: PowerKind, role: RoleHolders): Power[] {
  const { token, policies } = known
  const of = { kind, contract: token }
  const granting = role.admins.map((holder) =>
    toPower(known, { ...of, function: `grantRole: ${role.name}`, holder, call: role.adminCall }),
  )
  // Without a list nobody can be seized, and only an admin sets one.
  const isIdle = kind === 'take' && policies.some(({ scope, id }) => scope === SEIZE_SCOPE && id === ALLOWS_ALL)
  if (role.holders.length > 0 && !(isIdle && granting.length === 0))
    return role.holders.map((holder) => toPower(known, { ...of, function: role.name, holder, call: role.call }))
  if (granting.length > 0 || !role.isRead) return granting
  return [toPower(known, { ...of, function: role.name, holder: null, renounced: true, call: role.call })]
}

/** Who keeps the lists of a transfer; where there is none, who may set one. */
function blacklists(
  { token, registry, facts, policies }: Known & { registry: Address },
  { admins, adminCall }: RoleHolders,
): Power[] {
  const lists = policies.filter(({ scope, id }) => scope !== SEIZE_SCOPE && id !== ALLOWS_ALL)
  const kept = lists.map(({ scope, id, admin, call }) => {
    const isUnknown = admin === null || typeOf(id) >= JOINED
    const holder = isUnknown || admin === ZERO_ADDRESS ? null : admin
    return toPower(
      { facts },
      {
        kind: 'blacklist',
        function: scope,
        contract: registry,
        holder,
        renounced: !isUnknown && holder === null,
        call,
      },
    )
  })
  const setters = admins.map((holder) =>
    toPower(
      { facts },
      { kind: 'blacklist', function: 'grantRole: transfer policies', contract: token, holder, call: adminCall },
    ),
  )
  return [...kept, ...setters]
}
