// Clones: code that passes every call on to one address in it, whatever stands behind. Input: runtime code, which is
// hostile. Output: that address, and the bytes that no call runs. Each path of the code is followed with the constants
// on its stack, so that code which only looks like a clone is none.
import { type Address, toAddress } from '../../base/address.ts'
import { itemAt, uint8At } from '../../base/item-at.ts'
import type { Hex } from '../../chain/contracts/words.ts'

export interface Clone {
  target: Address
  /** What stands behind the code that runs, such as arguments. */
  rest: Buffer
}

/** The longest clones known keep some hundred bytes of arguments. */
const MAX_BYTES = 2_048
const MAX_STEPS = 512
const MAX_STACK = 64

/** The number of words that an opcode takes and gives, of those that change nothing but memory and stack. */
const EFFECTS: ReadonlyMap<number, readonly [takes: number, gives: number]> = new Map([
  // Sums and comparisons of two words.
  ...[0x01, 0x02, 0x03, 0x04, 0x06, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1b, 0x1c, 0x20].map(
    (op): [number, [number, number]] => [op, [2, 1]],
  ),
  // Facts of the call, the code and the memory.
  ...[0x30, 0x33, 0x34, 0x36, 0x38, 0x3d, 0x59, 0x5a].map((op): [number, [number, number]] => [op, [0, 1]]),
  ...[0x15, 0x19, 0x35, 0x51].map((op): [number, [number, number]] => [op, [1, 1]]),
  // Copies and writes of memory, and logs of coins that came.
  ...[0x37, 0x39, 0x3e].map((op): [number, [number, number]] => [op, [3, 0]]),
  ...[0x52, 0x53].map((op): [number, [number, number]] => [op, [2, 0]]),
  ...[0xa0, 0xa1, 0xa2].map((op): [number, [number, number]] => [op, [op - 0xa0 + 2, 0]]),
  [0x50, [1, 0]],
  [0x5b, [0, 0]],
])
const [PUSH0, PUSH32, DUP1, SWAP1, SWAP16] = [0x5f, 0x7f, 0x80, 0x90, 0x9f]
const [JUMP, JUMPI, JUMPDEST, DELEGATECALL] = [0x56, 0x57, 0x5b, 0xf4]
const EXTCODECOPY = 0x3c
const ENDS: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, 0xfe])

/** Null: an unknown number. */
type Word = bigint | null

interface Path {
  at: number
  stack: readonly Word[]
}

/** Null: some path does something else, or it is longer than any clone. */
export function readClone(code: Hex): Clone | null {
  const bytes = Buffer.from(code.slice(2), 'hex')
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return null
  const targets = new Set<bigint>()
  const waiting: Path[] = [{ at: 0, stack: [] }]
  let end = 0
  for (let steps = 0; waiting.length > 0; steps++) {
    const path = itemAt(waiting, waiting.length - 1)
    waiting.pop()
    if (steps > MAX_STEPS) return null
    if (path.at >= bytes.length) continue
    const next = step(bytes, path, targets)
    if (next === null) return null
    end = Math.max(end, path.at + 1 + pushed(uint8At(bytes, path.at)))
    waiting.push(...next)
  }
  const [target] = targets
  if (target === undefined || targets.size > 1) return null
  return { target: toAddress(`0x${target.toString(16).padStart(40, '0')}`), rest: bytes.subarray(end) }
}

/**
 * Whether the clone's target may read what stands behind the clone's code. It finds that only at the clone's own address.
 */
export function readsOwnCode(clone: Hex, target: Hex): boolean {
  return (readClone(clone)?.rest.length ?? 0) > 0 && hasOpcode(Buffer.from(target.slice(2), 'hex'), EXTCODECOPY)
}

function hasOpcode(bytes: Buffer, wanted: number): boolean {
  for (let at = 0; at < bytes.length; at += 1 + pushed(uint8At(bytes, at)))
    if (uint8At(bytes, at) === wanted) return true
  return false
}

const pushed = (op: number): number => (op > PUSH0 && op <= PUSH32 ? op - PUSH0 : 0)

/** The paths after one opcode; null where it is none of a clone's. */
function step(bytes: Buffer, { at, stack }: Path, targets: Set<bigint>): Path[] | null {
  const op = uint8At(bytes, at)
  if (ENDS.has(op)) return []
  const on = (after: readonly Word[], to = at + 1): Path[] | null =>
    after.length > MAX_STACK ? null : [{ at: to, stack: after }]
  if (op >= PUSH0 && op <= PUSH32) {
    const size = pushed(op)
    const value = BigInt(`0x0${bytes.subarray(at + 1, at + 1 + size).toString('hex')}`)
    return on([...stack, value], at + 1 + size)
  }
  if (op >= DUP1 && op < SWAP1) {
    const place = stack.length - 1 - (op - DUP1)
    return place < 0 ? null : on([...stack, itemAt(stack, place)])
  }
  if (op >= SWAP1 && op <= SWAP16) return on(swapped(stack, op - SWAP1 + 1))
  if (op === JUMP || op === JUMPI) {
    const [to, rest] = [stack.at(-1), stack.slice(0, op === JUMP ? -1 : -2)]
    if (typeof to !== 'bigint' || bytes[Number(to)] !== JUMPDEST) return null
    const jumped = on(rest, Number(to)) ?? []
    return op === JUMP ? jumped : [...jumped, ...(on(rest) ?? [])]
  }
  if (op === DELEGATECALL) {
    const target = stack.at(-2)
    if (stack.length < 6 || typeof target !== 'bigint' || target >> 160n !== 0n || target === 0n) return null
    targets.add(target)
    return on([...stack.slice(0, -6), null])
  }
  const [takes, gives] = EFFECTS.get(op) ?? []
  if (takes === undefined || gives === undefined || stack.length < takes) return null
  return on([...stack.slice(0, stack.length - takes), ...Array.from({ length: gives }, (): Word => null)])
}

function swapped(stack: readonly Word[], depth: number): Word[] {
  const [top, other] = [stack.length - 1, stack.length - 1 - depth]
  if (other < 0) return [...stack]
  return stack.with(top, itemAt(stack, other)).with(other, itemAt(stack, top))
}
