// The shape of a log: so many topics, so many words of data, and where in them its fields stand. Comes in: a kind and its
// fields by name; goes out: what a decoder walks through. A field goes from its 64 digits into columns, checked on the way.
import type { Address } from '../../base/address.ts'
import type { LogKind, LogOf } from '../event.ts'
import type { Bytes } from './bytes.ts'
import type { Packer } from './packer.ts'

/** Where 64 digits stand: topic0 is the first topic, the data's first word the first word. */
interface Place {
  of: 'topic' | 'word'
  at: number
}

/** A field and its type. */
export interface Field<Value> {
  /** None: it is the same in every log. */
  place: Place | null
  /** Writes what stands at the digits; false where it does not fit. */
  write(packer: Packer, bytes: Bytes, at: number): boolean
  /** Only for the types. */
  readonly value?: Value
}

type OwnField<Kind extends LogKind> = Exclude<keyof LogOf<Kind>, 'kind' | 'address' | 'logIndex' | 'txHash'>

export interface Shape {
  kind: LogKind
  /** With topic0. */
  topics: number
  words: number
  fields: readonly Field<unknown>[]
}

/** The fields are written in the order in which they stand here: `unpack.ts` reads them in the same. */
export const shape = <Kind extends LogKind>(
  kind: Kind,
  topics: number,
  words: number,
  fields: { readonly [Name in OwnField<Kind>]: Field<LogOf<Kind>[Name]> },
): Shape => ({ ...{ kind, topics, words }, fields: Object.values<Field<unknown>>(fields) })

export const topic = (at: number): Place => ({ of: 'topic', at })
export const word = (at: number): Place => ({ of: 'word', at })

/** The upper twelve bytes are zero. */
export const address = (place: Place): Field<Address> => ({
  place,
  write: (to, bytes, at) => to.addressWord(bytes, at),
})

/** An unsigned integer of so many bits. */
export const uint = (place: Place, bits = 256): Field<bigint> => ({
  place,
  write: (to, bytes, at) => to.uintWord(bytes, at, bits),
})

/** A signed integer of 256 bits. */
export const int = (place: Place): Field<bigint> => ({ place, write: (to, bytes, at) => to.intWord(bytes, at) })

/** An unsigned integer of so few bits that it is a number. */
export const number = (place: Place, bits: number): Field<number> => ({
  place,
  write: (to, bytes, at) => to.numberWord(bytes, at, bits),
})

/** A signed integer of 24 bits. */
export const tick = (place: Place): Field<number> => ({ place, write: (to, bytes, at) => to.tickWord(bytes, at) })

/** The last second of the year 9999: what is said to end later ends then. */
const LAST_SECOND = 253_402_300_799

/** Seconds since 1970, held to the year 9999. */
export const time = (place: Place): Field<number> => ({
  place,
  write: (to, bytes, at) => to.clampedWord(bytes, at, LAST_SECOND),
})

/** What the event says nothing of. */
export const none: Field<null> = {
  place: null,
  write: (to) => {
    to.none()
    return true
  },
}

/** Nothing is left, whatever the event says. */
export const zero: Field<bigint> = {
  place: null,
  write: (to) => {
    to.integer(0n)
    return true
  },
}
