// Lists: declares the arguments `page` and `limit`, and the object with a page's items and their total.
import type { ObjectRef } from '@pothos/core'
import { DEFAULT_LIMIT, MAX_LIMIT, type Paged } from '../../base/page.ts'
import { PAGE_ITEMS } from '../cost/list-size.ts'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

/** The arguments of a paged list. */
export const pageArgs = (defaultLimit = DEFAULT_LIMIT) =>
  builder.args((t) => ({
    page: t.int({ defaultValue: 1, description: 'The number of the page, from 1.' }),
    limit: t.int({
      defaultValue: defaultLimit,
      description: `The largest number of items per page, from 1; a larger value than ${MAX_LIMIT} counts as ${MAX_LIMIT}.`,
    }),
  }))

/** The argument of a list that has a length but no pages. */
export const limitArgs = (defaultLimit: number, maximum = MAX_LIMIT) =>
  builder.args((t) => ({
    limit: t.int({
      defaultValue: defaultLimit,
      description: `The largest number of items, from 1; a larger value than ${maximum} counts as ${maximum}.`,
    }),
  }))

/** Gives a page type its fields. `plural` is the name of its items in descriptions. */
export function implementPage<Row extends Item, Item>(
  page: ObjectRef<Types, Paged<Row>>,
  item: ObjectRef<Types, Item>,
  plural: string,
): void {
  builder.objectType(page, {
    description: `A page of ${plural}.`,
    fields: (t) => ({
      items: t.expose('items', {
        type: [item],
        extensions: PAGE_ITEMS,
        description: `The ${plural} of this page; empty past the end.`,
      } as never),
      total: t.exposeFloat('total', { description: `How many ${plural} there are on all pages.` }),
      page: t.exposeInt('page', { description: 'The number of the page, from 1.' }),
      limit: t.exposeInt('limit', { description: 'The largest number of items per page.' }),
    }),
  })
}
