// A small assembler for code that no compiler here makes: selector tables, jump tables and storage of other languages.
// Input: words of a program. Output: code. A word is an opcode's name, or a number to push. `:here` is a target of jumps,
// and `.here` a place of data. `@here` pushes a place, `=here` is its two bytes, and `#00ff` bytes as they are.
import type { Hex } from 'viem'

const NAMES: Readonly<Record<string, number>> = {
  ...{ STOP: 0x00, ADD: 0x01, MUL: 0x02, SUB: 0x03, DIV: 0x04, MOD: 0x06, LT: 0x10, GT: 0x11, EQ: 0x14, ISZERO: 0x15 },
  ...{ AND: 0x16, OR: 0x17, XOR: 0x18, NOT: 0x19, SHL: 0x1b, SHR: 0x1c, SHA3: 0x20, ADDRESS: 0x30, CALLER: 0x33 },
  ...{ CALLVALUE: 0x34, CALLDATALOAD: 0x35, CALLDATASIZE: 0x36, CALLDATACOPY: 0x37, CODESIZE: 0x38, CODECOPY: 0x39 },
  ...{ EXTCODESIZE: 0x3b, RETURNDATASIZE: 0x3d, RETURNDATACOPY: 0x3e, POP: 0x50, MLOAD: 0x51, MSTORE: 0x52 },
  ...{
    SLOAD: 0x54,
    SSTORE: 0x55,
    JUMP: 0x56,
    JUMPI: 0x57,
    GAS: 0x5a,
    LOG3: 0xa3,
    RETURN: 0xf3,
    DELEGATECALL: 0xf4,
    REVERT: 0xfd,
  },
  ...Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`DUP${at + 1}`, 0x80 + at])),
  ...Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`SWAP${at + 1}`, 0x90 + at])),
}
const PUSH0_BYTES = 0x5f
const PUSH2 = '61'
const JUMPDEST = '5b'
/** A push of no bytes: 0 takes one byte here, for chains without PUSH0. */
const toPush = (value: bigint): string => {
  const digits = value.toString(16)
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`
  return (PUSH0_BYTES + bytes.length / 2).toString(16) + bytes
}

const place = (at: number | undefined, name: string): string => {
  if (at === undefined) throw new Error(`the program has no place ${name}`)
  return at.toString(16).padStart(4, '0')
}

/** Throws on a word that it does not know. */
export function assemble(program: string): Hex {
  const words = program.split(/\s+/).filter((word) => word !== '')
  const places = new Map<string, number>()
  const emit = (word: string, size: number): string => {
    const [mark, name] = [word.slice(0, 1), word.slice(1)]
    if (mark === ':' || mark === '.') {
      places.set(name, size)
      return mark === ':' ? JUMPDEST : ''
    }
    if (mark === '@') return `${PUSH2}0000`
    if (mark === '=') return '0000'
    if (mark === '#') return name
    if (/^(0x)?\d/.test(word)) return toPush(BigInt(word))
    const op = NAMES[word]
    if (op === undefined) throw new Error(`no opcode ${word}`)
    return op.toString(16).padStart(2, '0')
  }
  const parts: string[] = []
  let size = 0
  for (const word of words) {
    const part = emit(word, size)
    parts.push(part)
    size += part.length / 2
  }
  const code = words.map((word, at) => {
    if (word.startsWith('@')) return PUSH2 + place(places.get(word.slice(1)), word)
    return word.startsWith('=') ? place(places.get(word.slice(1)), word) : parts[at]
  })
  return `0x${code.join('')}`
}

/** Creation code: the program runs first, and then the runtime is returned. */
export function toCreation(before: string, runtime: Hex): Hex {
  const size = (runtime.length - 2) / 2
  return assemble(`${before} ${size} @runtime 0x00 CODECOPY ${size} 0x00 RETURN .runtime #${runtime.slice(2)}`)
}
