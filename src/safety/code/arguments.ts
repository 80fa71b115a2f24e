// Extreme arguments for an unknown function. Input: types. Output: call data by variant. Each names "victim" or
// "caller", and nothing or everything, as an attacker would.
import type { Address } from '../../base/address.ts'
import { abiWord, type Hex, selectorOf } from '../../chain/contracts/words.ts'

export interface ArgumentSetting {
  victims: readonly Address[]
  caller: Address
  /** The token, for a function of another contract: it may ask which token it acts on. */
  subject: Address | null
  pool: Address
  /** A contract that answers every call with the slot of an implementation, and one that refuses every call. */
  hollow: Address
  refusing: Address
  /** A contract that tells, by a log, in whose name its code runs. */
  module: Address
  supply: bigint
  /** The balance of the first victim. */
  held: bigint
  /** Years after the block, in seconds since 1970. */
  later: bigint
}

interface Variant {
  /** `place`: how many numbers are before it. */
  number(setting: ArgumentSetting, place: number): bigint
  flag: boolean
  /** The first address, and the others. */
  addresses(setting: ArgumentSetting): [Address, Address]
  list(setting: ArgumentSetting): readonly Address[]
  /** Whether it tells anything of a function with these types; absent: of any. */
  fits?(types: readonly string[]): boolean
}

const victimFirst = ({ victims, caller }: ArgumentSetting): [Address, Address] => [victims[0] ?? caller, caller]
const subjectFirst = (setting: ArgumentSetting): [Address, Address] =>
  setting.subject ? [setting.subject, setting.caller] : victimFirst(setting)
const victims = ({ victims: list }: ArgumentSetting) => list
const kept = ({ pool, caller }: ArgumentSetting) => [pool, caller]

/** The first is the mildest, so that a bound on amounts does not hide whether the caller is admitted. */
const VARIANTS: readonly Variant[] = [
  { number: () => 0n, flag: true, addresses: subjectFirst, list: victims },
  { number: () => 99n, flag: false, addresses: victimFirst, list: kept },
  {
    number: ({ supply }) => supply * 10n,
    flag: true,
    addresses: ({ subject, caller }) => [subject ?? caller, caller],
    list: victims,
  },
  { number: ({ held }) => held, flag: true, addresses: victimFirst, list: kept },
  // An amount that is locked until a time.
  {
    number: ({ held, later }, place) => (place === 0 ? held : later),
    flag: true,
    addresses: victimFirst,
    list: victims,
  },
  { number: () => 9_900n, flag: false, addresses: ({ hollow }) => [hollow, hollow], list: victims },
  { number: () => 1n, flag: true, addresses: ({ refusing }) => [refusing, refusing], list: kept },
  // Where a cap leaves less than the whole supply to mint.
  { number: ({ supply }) => supply / 5n, flag: true, addresses: ({ caller }) => [caller, caller], list: victims },
  { number: () => 990n, flag: true, addresses: ({ pool, caller }) => [pool, caller], list: victims },
  // What the pool is exempt from holds for it as well.
  { number: () => 0n, flag: false, addresses: ({ pool, caller }) => [pool, caller], list: kept },
  {
    number: () => 0n,
    flag: true,
    addresses: ({ module }) => [module, module],
    list: victims,
    fits: (types) => types.includes('address') && types.includes('bytes'),
  },
]

/** Of functions that may take an account where their code shows a number. */
const OTHERS: readonly Variant[] = [
  { number: () => 0n, flag: true, addresses: victimFirst, list: victims },
  { number: () => 1n, flag: true, addresses: victimFirst, list: victims },
  { number: ({ held }) => held, flag: true, addresses: victimFirst, list: victims },
  { number: ({ supply }) => supply * 10n, flag: true, addresses: ({ caller }) => [caller, caller], list: victims },
]

export const VARIANT_COUNT = VARIANTS.length
/** Variants of both kinds; those after the first `VARIANT_COUNT` are of other types. */
export const ALL_VARIANT_COUNT = VARIANTS.length + OTHERS.length

/** The call data of a variant; null where a type is one that nothing is made up for, or an earlier variant is the same. */
export function attemptData(
  selector: string,
  types: readonly string[],
  at: number,
  setting: ArgumentSetting,
): Hex | null {
  return firstOf(VARIANTS, selector, types, at, setting)
}

/** The same with other types than the code shows. */
export const attemptOther = (
  selector: string,
  types: readonly string[],
  at: number,
  setting: ArgumentSetting,
): Hex | null => firstOf(OTHERS, selector, types, at, setting)

function firstOf(
  variants: readonly Variant[],
  selector: string,
  types: readonly string[],
  at: number,
  setting: ArgumentSetting,
): Hex | null {
  const data = makeData(variants[at], selector, types, setting)
  const isKnown = variants.slice(0, at).some((before) => makeData(before, selector, types, setting) === data)
  return isKnown ? null : data
}

function makeData(
  variant: Variant | undefined,
  selector: string,
  types: readonly string[],
  setting: ArgumentSetting,
): Hex | null {
  if (selector === DIAMOND_CUT) return cutData(setting)
  if (!variant || types.length > 8 || variant.fits?.(types) === false) return null
  let seen = 0
  let numbers = 0
  const parts = types.map((type) => {
    const [first, other] = variant.addresses(setting)
    if (type === 'address') return { words: [abiWord(seen++ === 0 ? first : other)] }
    return toWords(type, variant, setting, /^u?int/.test(type) ? numbers++ : 0)
  })
  return parts.every((part) => part !== null) ? `0x${selector}${layOut(parts)}` : null
}

/** EIP-2535, with a struct of three fields for each facet. */
const DIAMOND_CUT = selectorOf('diamondCut((address,uint8,bytes4[])[],address,bytes)').slice(2)
const MOVES = ['transfer(address,uint256)', 'transferFrom(address,address,uint256)'].map(selectorOf)
const REPLACE = 1

/** Replaces the code of transfers by code that refuses. The words in order, each with its place from the start of its list. */
function cutData({ refusing }: ArgumentSetting): Hex {
  const selectors = [abiWord(MOVES.length), ...MOVES.map((selector) => selector.slice(2).padEnd(64, '0'))]
  const cut = [abiWord(refusing), abiWord(REPLACE), abiWord(0x60), ...selectors]
  const cuts = [abiWord(1), abiWord(0x20), ...cut]
  const head = [abiWord(0x60), abiWord(0), abiWord(0x60 + 32 * cuts.length)]
  return `0x${DIAMOND_CUT}${[...head, ...cuts, abiWord(0)].join('')}`
}

interface Part {
  /** The words in place; the length and entries of a list are at the end. */
  words: string[]
  isTail?: boolean
}

function toWords(type: string, variant: Variant, setting: ArgumentSetting, place: number): Part | null {
  if (type === 'bool') return { words: [abiWord(variant.flag)] }
  const [, sign, bits = '256'] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (sign !== undefined) {
    const most = 2n ** BigInt(Number(bits) - (sign === 'u' ? 0 : 1)) - 1n
    const number = variant.number(setting, place)
    return { words: [abiWord(number > most ? most : number)] }
  }
  if (/^bytes\d+$/.test(type)) return { words: ['0'.repeat(64)] }
  if (type === 'bytes' || type === 'string') return { words: [abiWord(0)], isTail: true }
  if (type === 'address[]') return listOf(variant.list(setting).map(abiWord))
  if (/^u?int\d*\[\]$/.test(type))
    return listOf(variant.list(setting).map(() => abiWord(variant.number(setting, place))))
  if (type === 'bool[]') return listOf(variant.list(setting).map(() => abiWord(variant.flag)))
  return null
}

const listOf = (entries: string[]): Part => ({ words: [abiWord(entries.length), ...entries], isTail: true })

function layOut(parts: readonly Part[]): string {
  const head: string[] = []
  const tail: string[] = []
  for (const { words, isTail } of parts) {
    if (isTail) {
      head.push(abiWord(32 * (parts.length + tail.length)))
      tail.push(...words)
    } else head.push(...words)
  }
  return [...head, ...tail].join('')
}
