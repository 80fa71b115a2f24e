// Tokens as Vyper, Solady and Huff lay them out: dispatch by tables, and storage by other hashes. Input: a form. Output:
// creation code of a token with a billion units, its owner, and one function more where it is a trap.
import { type Hex, toFunctionSelector, toHex } from 'viem'
import { APPROVAL_TOPIC, TRANSFER_TOPIC } from '../../src/chain/contracts/topics.ts'
import { assemble, toCreation } from './assembly.ts'

/** How a form finds functions, and where it keeps balances and allowances. */
export interface Form {
  /** The program, and its tables: they stand behind all code, since their bytes may look like pushes. */
  dispatch: (functions: readonly Entry[]) => readonly [string, string]
  /** With the account on the stack: its slot. */
  balance: string
  /** With spender and owner on the stack: their slot. */
  allowance: string
  owner: string
  /** Reads an address from the call data, at a place. */
  account: (at: number) => string
}

interface Entry {
  name: string
  selector: Hex
}

const WHOLE = 10n ** 27n
const SUPPLY_SLOT = '0x03'
const CLOSED_SLOT = '0x09'
const TOKEN = [
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'approve(address,uint256)',
  'balanceOf(address)',
  'allowance(address,address)',
  'totalSupply()',
  'decimals()',
  'name()',
  'symbol()',
  'owner()',
] as const

const arg = (at: number): string => `${4 + 32 * at} CALLDATALOAD`
const text = toHex('ZOO', { size: 32 }).slice(0, 8).padEnd(66, '0')

/** A closed token, and one that marked the sender, refuses transfers to contracts, but for the owner. */
const guard = ({ owner }: Form): string => `DUP3 NOT SLOAD ${CLOSED_SLOT} SLOAD OR ISZERO @open JUMPI
  DUP2 EXTCODESIZE ISZERO @open JUMPI ${owner} SLOAD DUP4 EQ @open JUMPI @fail JUMP :open`

const bodyOf = (form: Form): string => {
  const { balance, allowance, owner, account } = form
  const ownerOnly = `${owner} SLOAD CALLER XOR @fail JUMPI`
  return `
  :transfer @true CALLER ${account(0)} ${arg(1)} @move JUMP
  :transferFrom CALLER ${account(0)} ${allowance} DUP1 SLOAD ${arg(2)} DUP2 LT @fail JUMPI
    ${arg(2)} SWAP1 SUB SWAP1 SSTORE @true ${account(0)} ${account(1)} ${arg(2)} @move JUMP
  :approve ${arg(1)} ${account(0)} CALLER ${allowance} SSTORE
    ${arg(1)} 0x00 MSTORE ${account(0)} CALLER ${APPROVAL_TOPIC} 0x20 0x00 LOG3 @true JUMP
  :balanceOf ${account(0)} ${balance} SLOAD @word JUMP
  :allowance ${account(1)} ${account(0)} ${allowance} SLOAD @word JUMP
  :totalSupply ${SUPPLY_SLOT} SLOAD @word JUMP
  :decimals 18 @word JUMP
  :name @text JUMP
  :symbol @text JUMP
  :owner ${owner} SLOAD @word JUMP
  :setStatus ${ownerOnly} ${arg(0)} ${CLOSED_SLOT} SSTORE STOP
  :mark ${ownerOnly} ${arg(1)} ${account(0)} NOT SSTORE STOP
  :settle ${ownerOnly} ${arg(0)} CALLER ${balance} DUP1 SLOAD DUP3 ADD SWAP1 SSTORE STOP
  :move ${guard(form)} DUP3 ${balance} DUP1 SLOAD DUP3 DUP2 LT @fail JUMPI DUP3 SWAP1 SUB SWAP1 SSTORE
    DUP2 ${balance} DUP1 SLOAD DUP3 ADD SWAP1 SSTORE
    0x00 MSTORE SWAP1 ${TRANSFER_TOPIC} 0x20 0x00 LOG3 JUMP
  :text 0x20 0x00 MSTORE 3 0x20 MSTORE ${text} 0x40 MSTORE 0x60 0x00 RETURN
  :true 0x01 @word JUMP
  :word 0x00 MSTORE 0x20 0x00 RETURN
  :fail 0x00 0x00 REVERT`
}

/** Traps: the owner closes sales, adds to its own balance without a log, or marks accounts that cannot sell. */
export type Trick = 'setStatus(bool)' | 'settle(uint256)' | 'mark(address,bool)' | null

export function tokenOf(form: Form, trick: Trick): Hex {
  const signatures = [...TOKEN, ...(trick ? [trick] : [])]
  const entries = signatures.map((signature) => ({
    name: signature.slice(0, signature.indexOf('(')),
    selector: toFunctionSelector(`function ${signature}`),
  }))
  const [start, tables] = form.dispatch(entries)
  const runtime = assemble(`${start} ${bodyOf(form)} ${tables}`)
  const { balance, owner } = form
  return toCreation(
    `${WHOLE} ${SUPPLY_SLOT} SSTORE CALLER ${owner} SSTORE ${WHOLE} CALLER ${balance} SSTORE
     ${WHOLE} 0x00 MSTORE CALLER 0x00 ${TRANSFER_TOPIC} 0x20 0x00 LOG3`,
    runtime,
  )
}

const SELECTOR = '0x00 CALLDATALOAD 0xe0 SHR'
const bytesOf = (selector: Hex): bigint => BigInt(selector)

/** Buckets by the rest of a division, and a jump to each: sparse tables of Vyper. */
function sparse(entries: readonly Entry[]): [string, string] {
  const count = 4n
  const buckets = Array.from({ length: Number(count) }, (_, at) =>
    entries.filter(({ selector }) => bytesOf(selector) % count === BigInt(at)),
  )
  const tests = buckets.map(
    (each, at) =>
      `:bucket${at} ${each.map(({ name, selector }) => `DUP1 ${selector} XOR ISZERO @${name} JUMPI`).join(' ')} @fail JUMP`,
  )
  return [
    `0x04 CALLDATASIZE LT @fail JUMPI ${SELECTOR}
    0x02 ${count} DUP3 MOD 0x01 SHL @buckets ADD 0x1e CODECOPY 0x00 MLOAD JUMP ${tests.join(' ')}`,
    `.buckets ${buckets.map((_, at) => `=bucket${at}`).join(' ')}`,
  ]
}

const places = (entries: readonly Entry[], magic: bigint, shift: bigint): number[] =>
  entries.map(({ selector }) => Number(((bytesOf(selector) * magic) >> shift) % BigInt(entries.length)))

/** The first multiplier that gives each function a place of its own. */
function magicOf(entries: readonly Entry[], shift: bigint): bigint {
  for (let magic = 1n; magic < 2n ** 24n; magic++)
    if (new Set(places(entries, magic, shift)).size === entries.length) return magic
  throw new Error('no multiplier separates these functions')
}

/** A perfect hash, and rows of selector, place and argument bytes in the code: dense tables of Vyper. */
function dense(entries: readonly Entry[]): [string, string] {
  const magic = magicOf(entries, 24n)
  const order = places(entries, magic, 24n)
  const rows = entries.map((_, at) => entries[order.indexOf(at)] as Entry)
  return [
    `0x04 CALLDATASIZE LT @fail JUMPI ${SELECTOR}
    0x07 ${entries.length} ${magic} DUP4 MUL 0x18 SHR MOD 0x07 MUL @rows ADD 0x19 CODECOPY 0x00 MLOAD
    DUP1 0x18 SHR DUP3 XOR @fail JUMPI 0x08 SHR 0xffff AND JUMP`,
    `.rows ${rows.map(({ name, selector }) => `#${selector.slice(2)} =${name} #04`).join(' ')}`,
  ]
}

/** Two bytes a function in a table, and a test in front of each function: packed jump tables of Huff. */
function jumpTable(entries: readonly Entry[]): [string, string] {
  const magic = magicOf(entries, 20n)
  const order = places(entries, magic, 20n)
  const rows = entries.map((_, at) => entries[order.indexOf(at)] as Entry)
  const tests = entries.map(({ name, selector }) => `:test_${name} DUP1 ${selector} EQ @${name} JUMPI @fail JUMP`)
  return [
    `${SELECTOR} 0x02 ${entries.length} ${magic} DUP4 MUL 0x14 SHR MOD 0x01 SHL @table ADD 0x1e CODECOPY
    0x00 MLOAD JUMP ${tests.join(' ')}`,
    `.table ${rows.map(({ name }) => `=test_${name}`).join(' ')}`,
  ]
}

/** One comparison after another. */
const chain = (entries: readonly Entry[]): [string, string] => [
  `${SELECTOR} ${entries.map(({ name, selector }) => `DUP1 ${selector} EQ @${name} JUMPI`).join(' ')} @fail JUMP`,
  '',
]

const HASH = '0x40 0x00 SHA3'
/** Vyper hashes the slot before the key. */
const vyperNest = `0x00 MSTORE 0x20 MSTORE ${HASH}`
const VYPER = {
  balance: `0x20 MSTORE 0x04 0x00 MSTORE ${HASH}`,
  allowance: `0x20 MSTORE 0x05 0x00 MSTORE ${HASH} ${vyperNest}`,
  owner: '0x00',
  account: (at: number) => `${arg(at)} DUP1 0xa0 SHR @fail JUMPI`,
}

export const FORMS = {
  vyperSparse: { ...VYPER, dispatch: sparse },
  vyperDense: { ...VYPER, dispatch: dense },
  huff: {
    dispatch: jumpTable,
    balance: `0x00 MSTORE 0x02 0x20 MSTORE ${HASH}`,
    allowance: `0x00 MSTORE 0x06 0x20 MSTORE ${HASH} 0x20 MSTORE 0x00 MSTORE ${HASH}`,
    owner: '0x01',
    account: arg,
  },
  // The seeds of its slots stand behind the account, and the owner's slot is a hash.
  solady: {
    dispatch: chain,
    balance: '0x87a211a2 0x0c MSTORE 0x00 MSTORE 0x20 0x0c SHA3',
    allowance: 'SWAP1 0x20 MSTORE 0x7f5e9f20 0x0c MSTORE 0x00 MSTORE 0x34 0x0c SHA3',
    owner: '0xffffffffffffffffffffffffffffffffffffffffffffffffffffffff74873927',
    account: (at: number) => `${arg(at)} 0x60 SHL 0x60 SHR`,
  },
} as const satisfies Record<string, Form>
