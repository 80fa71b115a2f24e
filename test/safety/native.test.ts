// Tokens without code that an EVM runs. A fake node answers as one of such a chain does, and nothing that could not be
// read is told as absent.
import { expect, test } from 'vitest'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { abiWord, selectorOf } from '../../src/chain/contracts/words.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import type { SafetyReport } from '../../src/safety/report.ts'
import type { SafetyTarget } from '../../src/safety/target.ts'

const B20 = toAddress('0xb200000000000000000000ab54a98ceb1f0ad200')
const CAS20 = toAddress('0xca5200000000000000000000ab54a98ceb1f0ad2')
const B20_REGISTRY = '0x8453000000000000000000000000000000000002'
const CAS20_REGISTRY = '0x7020000000000000000000000000000000000002'
const who = (number: number): Address => toAddress(`0x${(0xaa00 + number).toString(16).padStart(40, '7')}`)
const [ADMIN, MINTER, PAUSER, KEEPER, DEPLOYER] = [1, 2, 3, 4, 5].map(who) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const HASH = `0x${'5'.repeat(64)}` as const
const ADMIN_ROLE = `0x${'0'.repeat(64)}`
const word = (value: bigint | number | boolean | Address) => `0x${abiWord(value)}`

interface NativeToken {
  /** Holders of roles, by name; '' is the admin. */
  roles: Record<string, Address[]>
  /** Policies by scope: id and admin. */
  policies?: Record<string, { id: bigint; admin: Address }>
  paused?: number[]
  hasLogs?: boolean
  /** The node does not know this kind of token: it runs the byte, which does nothing. */
  isForeign?: boolean
  code?: string
}

const SCOPES = ['TRANSFER_SENDER_POLICY', 'TRANSFER_RECEIVER_POLICY', 'TRANSFER_EXECUTOR_POLICY', 'SEIZE_EXEMPT_POLICY']
const roleOf = (name: string) => (name === '' ? ADMIN_ROLE : keccakOfText(name))

/** A node that runs the token, and keeps the lists of its policies at the registry. */
function nodeOf(address: Address, registry: string, token: NativeToken): Endpoint {
  const { roles, policies = {}, paused = [], hasLogs = true, isForeign = false, code = '0xef' } = token
  const grants = Object.entries(roles).flatMap(([name, holders]) =>
    holders.map((holder) => ({
      topics: [keccakOfText('RoleGranted(bytes32,address,address)'), roleOf(name), word(holder), word(DEPLOYER)],
    })),
  )
  const revert = (): never => {
    throw new RpcError('execution', 'execution reverted')
  }
  const asked: Record<string, (data: string) => string> = {
    [selectorOf('hasRole(bytes32,address)')]: (data) => {
      const name = Object.keys(roles).find((each) => roleOf(each).slice(2) === data.slice(0, 64))
      return word((roles[name ?? ' '] ?? []).includes(toAddress(`0x${data.slice(88, 128)}`)))
    },
    [selectorOf('getRoleAdmin(bytes32)')]: () => ADMIN_ROLE,
    [selectorOf('policyId(bytes32)')]: (data) => {
      const scope = SCOPES.find((each) => keccakOfText(each).slice(2) === data)
      return scope === undefined ? revert() : word(policies[scope]?.id ?? 0n)
    },
    [selectorOf('isPaused(uint8)')]: (data) => word(paused.includes(Number(`0x${data}`))),
    [selectorOf('supplyCap()')]: () => word(2n ** 128n - 1n),
    [selectorOf('totalSupply()')]: () => word(10n ** 24n),
  }
  const call = ({ to, data }: { to: string; data: string }): string => {
    if (to === registry && data.startsWith(selectorOf('policyAdmin(uint64)'))) {
      const id = BigInt(`0x${data.slice(10)}`)
      return word(Object.values(policies).find((policy) => policy.id === id)?.admin ?? ZERO_ADDRESS)
    }
    if (to !== address || isForeign) return '0x'
    return asked[data.slice(0, 10)]?.(data.slice(10)) ?? revert()
  }
  const answer = ({ method, params }: Call): RpcAnswer => {
    const [first, second] = params as [never, string]
    try {
      if (method === 'eth_getBlockByNumber') return { result: { number: '0x64', hash: HASH, timestamp: '0x6553f100' } }
      if (method === 'eth_getCode') return { result: first === address ? code : '0x' }
      if (method === 'eth_getStorageAt') return { result: word(0) }
      if (method === 'eth_call') return { result: call(first) }
      if (method === 'eth_getLogs') return hasLogs ? { result: grants } : { error: new RpcError('range', 'too wide') }
      return { error: new RpcError('unsupported', `no ${method} ${second}`) }
    } catch (error) {
      return { error: error as RpcError }
    }
  }
  return { name: 'native', send: async (calls) => calls.map(answer) }
}

const targetOf = (token: Address): SafetyTarget => ({
  ...{
    token,
    block: { number: 100, hash: HASH, finalized: 90 },
    pools: [],
    holders: [],
    deployer: DEPLOYER,
    createdBlock: 7,
  },
  ...{ insiders: [], wrappedNative: who(9), payers: new Map(), supply: 10n ** 24n, trades: [], moves: [], logs: null },
  ...{ known: null, seed: 'seed' },
})
const check = (address: Address, registry: string, token: NativeToken): Promise<SafetyReport> =>
  createSafety({ rpc: createRpc({ endpoints: [nodeOf(address, registry, token)], clock: systemClock }) }).check(
    targetOf(address),
    new AbortController().signal,
  )
const told = ({ powers }: SafetyReport) =>
  powers?.map(({ kind, function: name, holder, renounced, contract }) => ({ kind, name, holder, renounced, contract }))

test('the selectors and roles are those of the published standard', () => {
  const expected = {
    'hasRole(bytes32,address)': '0x91d14854',
    'getRoleAdmin(bytes32)': '0x248a9ca3',
    'policyId(bytes32)': '0xdb3de624',
    'policyAdmin(uint64)': '0x09dd0a47',
    'isPaused(uint8)': '0xbc61e733',
    'supplyCap()': '0x8f770ad0',
  }
  for (const [signature, selector] of Object.entries(expected)) expect(selectorOf(signature)).toBe(selector)
  const roles = { MINT_ROLE: '154c0081', PAUSE_ROLE: '139c2898', SEIZE_ROLE: '3469b8b0', BURN_BLOCKED_ROLE: '7408fdc0' }
  for (const [name, digits] of Object.entries(roles)) expect(keccakOfText(name).slice(2, 10)).toBe(digits)
  expect(keccakOfText('SEIZE_EXEMPT_POLICY').slice(2, 10)).toBe('edb5da34')
})

test.each([
  ['b20', B20, B20_REGISTRY],
  ['cas20', CAS20, CAS20_REGISTRY],
] as const)(
  'who may mint, pause, block and seize a %s token is read from its roles and policies',
  async (kind, address, registry) => {
    const report = await check(address, registry, {
      roles: { '': [ADMIN], MINT_ROLE: [MINTER], PAUSE_ROLE: [PAUSER] },
      policies: { TRANSFER_SENDER_POLICY: { id: 5n, admin: KEEPER } },
      paused: [1],
    })
    expect(report.code).toMatchObject({ native: kind, unread: null, admin: ADMIN })
    expect(told(report)).toEqual([
      { kind: 'mint', name: 'MINT_ROLE', holder: MINTER, renounced: false, contract: address },
      { kind: 'pause', name: 'PAUSE_ROLE', holder: PAUSER, renounced: false, contract: address },
      { kind: 'take', name: 'grantRole: SEIZE_ROLE', holder: ADMIN, renounced: false, contract: address },
      { kind: 'destroy', name: 'grantRole: BURN_BLOCKED_ROLE', holder: ADMIN, renounced: false, contract: address },
      { kind: 'blacklist', name: 'TRANSFER_SENDER_POLICY', holder: KEEPER, renounced: false, contract: registry },
      { kind: 'blacklist', name: 'grantRole: transfer policies', holder: ADMIN, renounced: false, contract: address },
    ])
    expect(report.powersRead).toEqual(
      expect.arrayContaining(['MINT_ROLE', 'TRANSFER_SENDER_POLICY: policy 5', 'mint: paused', 'no supply cap']),
    )
    expect(report.complete).toBe(false)
  },
)

test('a token that the chain runs without admin, roles and lists has no power that anybody is left with', async () => {
  const report = await check(B20, B20_REGISTRY, { roles: {} })
  expect(report.powers?.every(({ renounced }) => renounced)).toBe(true)
  expect(report.powers?.map(({ kind }) => kind)).toEqual(['mint', 'pause', 'take', 'destroy'])
  expect(report.findings).toEqual([])
  expect(report.code?.unread).toBe(null)
})

test('a list of blocked accounts stays frozen where its admin left, and a joined list has an unknown keeper', async () => {
  const frozen = await check(B20, B20_REGISTRY, {
    roles: {},
    policies: { TRANSFER_RECEIVER_POLICY: { id: 7n, admin: ZERO_ADDRESS } },
  })
  expect(told(frozen)?.at(-1)).toMatchObject({ kind: 'blacklist', holder: null, renounced: true })
  const joined = await check(B20, B20_REGISTRY, {
    roles: {},
    policies: { TRANSFER_RECEIVER_POLICY: { id: (2n << 56n) + 7n, admin: KEEPER } },
  })
  expect(told(joined)?.at(-1)).toMatchObject({ kind: 'blacklist', holder: null, renounced: false })
})

test('roles whose logs a node does not give are unknown: known accounts are asked, and nobody is said to be left', async () => {
  const report = await check(B20, B20_REGISTRY, {
    roles: { MINT_ROLE: [DEPLOYER], PAUSE_ROLE: [PAUSER] },
    hasLogs: false,
  })
  expect(told(report)).toEqual([{ kind: 'mint', name: 'MINT_ROLE', holder: DEPLOYER, renounced: false, contract: B20 }])
  expect(report.code?.unread).toBe('roles_unknown')
})

/** An implementation's slot, filled. */
const bare = (address: Address, code: string) => check(address, B20_REGISTRY, { roles: {}, isForeign: true, code })

test.each([
  ['the byte of a token that a node of another chain does not run', B20, '0xef', 'not_evm_code'],
  ['the byte at an address of no known standard', who(6), '0xef', 'not_evm_code'],
  ['no code, where the node itself answers', who(6), '0x', 'no_code'],
  ['code of more than 65,536 bytes', who(6), `0x${'60'.repeat(65_537)}`, 'too_long'],
  ['code without a function', who(6), '0x60006000fd', 'no_functions'],
] as const)('%s is unread: its powers are unknown, and never none', async (_, address, code, unread) => {
  const report = await bare(address, code)
  expect(report.powers).toBe(null)
  expect(report.code?.unread).toBe(unread)
  expect(report.complete).toBe(false)
})

test('no report says that there are no powers without a list of their sources, whatever the code', async () => {
  const pieces = [
    '',
    'ef',
    'ef00',
    'ef0100',
    '00',
    'fe',
    '63a9059cbb14',
    '6080604052',
    '5b',
    'ff'.repeat(33),
    '60'.repeat(4_000),
  ]
  let seed = 7
  const draw = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % most
  }
  // Longer than EIP-170 allowed, as long as EIP-7954 allows, and proxies into a precompile and into a token without code.
  const wholes = [
    '60'.repeat(49_153),
    '5b'.repeat(65_536),
    ...[`0x${'4'.padStart(40, '0')}`, `0x${'100'.padStart(40, '0')}`, B20].map(
      (target) => `363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    ),
  ]
  for (let round = 0; round < 60; round++) {
    const drawn = Array.from({ length: draw(6) }, () => pieces[draw(pieces.length)]).join('')
    const code = `0x${wholes[round] ?? drawn}`
    const address = [B20, CAS20, who(6)][draw(3)] as Address
    const report = await check(address, B20_REGISTRY, {
      roles: {},
      isForeign: draw(2) === 0,
      hasLogs: draw(2) === 0,
      code,
    })
    const isNone = report.powers?.length === 0
    expect(isNone && (report.powersRead.length === 0 || report.code?.unread !== null), code.slice(0, 80)).toBe(false)
  }
})
