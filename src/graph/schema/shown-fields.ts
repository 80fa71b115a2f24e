// Fields of a noun that GraphQL shows as they are stored, from the rows of its table.
import { toMeaning } from '../../base/amount.ts'
import type { Form, NounField } from '../../fields/noun.ts'
import { WORD_ENUMS } from './vocabulary.ts'

const TYPES = {
  text: 'String',
  address: 'Address',
  hash: 'Hash',
  flag: 'Boolean',
  time: 'DateTime',
  count: 'Int',
  whole: 'Int',
  usd: 'Float',
  points: 'Float',
  share: 'Float',
  percent: 'Float',
  quantity: 'Float',
  quote: 'Float',
} as const satisfies Record<Form, string>

/** A value as it is stored. GraphQL takes null where the field may have it. */
type Stored = string | number | boolean | Date

interface Shown {
  type: (typeof TYPES)[Form] | (typeof WORD_ENUMS)[keyof typeof WORD_ENUMS]
  nullable: boolean
  description: string
  resolve(row: object): Stored
}

/** The fields of these rows. `make` makes one. */
export const shownFields = <Made>(
  rows: readonly (readonly [string, NounField])[],
  make: (field: Shown) => Made,
): Record<string, Made> =>
  Object.fromEntries(
    rows.map(([name, { form, of, nullable = false, measured, text: description = '' }]) => {
      const resolve = (row: object): Stored => {
        const value: Stored = row[name as keyof object]
        return measured && typeof value === 'number' ? toMeaning(value) : value
      }
      return [name, make({ type: of ? WORD_ENUMS[of] : TYPES[form], nullable, description, resolve })]
    }),
  )
