// Declares the argument of a list that has a length but no pages.
import { MAX_LIMIT } from '../../base/page.ts'
import { builder } from './builder.ts'

export const limitArgs = (defaultLimit: number, maximum = MAX_LIMIT) =>
  builder.args((t) => ({
    limit: t.int({
      defaultValue: defaultLimit,
      description: `The largest number of items, from 1; a larger value than ${maximum} counts as ${maximum}.`,
    }),
  }))
