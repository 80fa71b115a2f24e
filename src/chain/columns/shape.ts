// The shape of a log: its number of topics and data words, and the place of each field. Input: a kind and its fields by
// name. Output: the instructions of the decoder. Each field checks its 64 digits and writes them into columns.
import type { Address } from '../../base/address.ts'
import { NEVER } from '../../base/time.ts'
import { LOG_FIELDS, type LogFields, type LogKind } from '../event.ts'
import type { Bytes } from './bytes.ts'
import type { Packer } from './packer.ts'

/** The place of a field's 64 digits. Topics count from topic0 as 0, data words and bytes from 0. */
export interface LogPlace {
  of: 'topic' | 'word' | 'byte'
  at: number
}

/** A field of a log. */
export interface Field<Value> {
  /** Null: the value is the same in every log. */
  place: LogPlace | null
  /** Writes the value of the digits; false when they do not fit the type. `end`: the end of the log's data. */
  write(packer: Packer, bytes: Bytes, at: number, end: number): boolean
  /** The value is seconds since 1970. */
  isTime?: true
  /** Never set; it only carries the type. */
  readonly value?: Value
}

export interface Shape {
  kind: LogKind
  /** Number of topics, including topic0. */
  topics: number
  /** Of 32 bytes; a fraction where the data is packed without padding. */
  words: number
  /** The data may be longer than these words, because it has lists. */
  isOpen: boolean
  fields: readonly Field<unknown>[]
}

/** Fields are packed in the order of `LOG_FIELDS`; `unpack.ts` reads them in the same order. */
export const shape = <Kind extends LogKind>(
  kind: Kind,
  topics: number,
  words: number,
  fields: { readonly [Name in keyof LogFields<Kind>]: Field<LogFields<Kind>[Name]> },
): Shape => {
  const names = Object.keys(LOG_FIELDS[kind]) as (keyof LogFields<Kind>)[]
  return { kind, topics, words, isOpen: false, fields: names.map((name) => fields[name]) }
}

/** A shape whose data has lists: at least this many words. */
export const openShape = <Kind extends LogKind>(...given: Parameters<typeof shape<Kind>>): Shape => ({
  ...shape(...given),
  isOpen: true,
})

export const topic = (at: number): LogPlace => ({ of: 'topic', at })
export const word = (at: number): LogPlace => ({ of: 'word', at })
export const byte = (at: number): LogPlace => ({ of: 'byte', at })

/** An address in a word whose upper twelve bytes are zero. */
export const address = (place: LogPlace): Field<Address> => ({
  place,
  write: (to, bytes, at) => to.addressWord(bytes, at),
})

/** An unsigned integer of at most `bits` bits. */
export const uint = (place: LogPlace, bits = 256): Field<bigint> => ({
  place,
  write: (to, bytes, at) => to.uintWord(bytes, at, bits),
})

/** A signed 256-bit integer. */
export const int = (place: LogPlace): Field<bigint> => ({ place, write: (to, bytes, at) => to.intWord(bytes, at) })

/** An unsigned integer that fits a number. */
export const number = (place: LogPlace, bits: number): Field<number> => ({
  place,
  write: (to, bytes, at) => to.numberWord(bytes, at, bits),
})

/** A signed 24-bit integer. */
export const tick = (place: LogPlace): Field<number> => ({ place, write: (to, bytes, at) => to.tickWord(bytes, at) })

/** Seconds since 1970, at most the year 9999. */
export const time = (place: LogPlace): Field<number> => ({
  place,
  isTime: true,
  write: (to, bytes, at) => to.clampedWord(bytes, at, NEVER),
})

/** As `time`, but zero stands for never. */
export const timeOrNever = (place: LogPlace): Field<number> => ({
  place,
  isTime: true,
  write: (to, bytes, at) => (bytes.isZero(at) ? never.write(to, bytes, at, at) : to.clampedWord(bytes, at, NEVER)),
})

/** A field that the event does not contain. */
export const none: Field<null> = {
  place: null,
  write: (to) => {
    to.none()
    return true
  },
}

/** An amount that the log does not tell exactly: Transfers do. */
export const unknownAmount: Field<bigint> = {
  place: null,
  write: (to) => to.integer(0n),
}

/** The same address in every log. */
export const fixedAddress = (value: Address): Field<Address> => ({
  place: null,
  write: (to) => {
    to.text(value)
    return true
  },
})

/** An unsigned integer of at most 128 bits, times a constant. */
export const uintTimes = (place: LogPlace, factor: bigint): Field<bigint> => ({
  place,
  write: (to, bytes, at) => {
    const digits = bytes.text(at, at + 64)
    if (!/^0{32}[0-9a-fA-F]{32}$/.test(digits)) return false
    return to.integer(BigInt(`0x${digits}`) * factor)
  },
})

/** Zero, whatever the event contains. */
export const zero: Field<bigint> = {
  place: null,
  write: (to) => to.integer(0n),
}

/** The same whole number in every log. */
export const constant = (value: number): Field<number> => ({
  place: null,
  write: (to) => {
    to.number(value)
    return true
  },
})

/** A time that never comes. */
export const never: Field<number> = constant(NEVER)

/** True or false; a null place means false in every log. */
export const flag = (place: LogPlace | null): Field<boolean> => ({
  place,
  write: (to, bytes, at) => {
    if (place !== null) return to.numberWord(bytes, at, 1)
    to.number(0)
    return true
  },
})

/** True in every log. */
export const always: Field<boolean> = { place: null, write: constant(1).write }

/** The lowest `bits` bits of a word, at most 31. */
export const lowBits = (place: LogPlace, bits: number): Field<number> => ({
  place,
  write: (to, bytes, at) => to.lowBits(bytes, at, bits),
})

/** The `bits` bits of a word from bit `first` on; together at most 48. */
export const bitsFrom = (place: LogPlace, first: number, bits: number): Field<number> => ({
  place,
  write: (to, bytes, at) => to.bitsFrom(bytes, at, first, bits),
})

/** 32 bytes that stand for a pool's address. */
export const id = (place: LogPlace): Field<Address> => ({ place, write: (to, bytes, at) => to.hashWord(bytes, at) })

/** A signed 256-bit integer with its sign inverted: the event logs the sender's side, and Assay stores the pool's. */
export const paidOut = (place: LogPlace): Field<bigint> => ({
  place,
  write: (to, bytes, at) => to.intWord(bytes, at, true),
})

/** The same field; a log with zero in it is not decoded. */
export const nonZero = <Value>({ place, write }: Field<Value>): Field<Value> => ({
  place,
  write: (to, bytes, at, end) => !bytes.isZero(at) && write(to, bytes, at, end),
})
