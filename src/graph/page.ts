// Lists: how the arguments `page` and `limit` are declared, and the object that carries a page's items with the total.
import type { ObjectRef } from '@pothos/core'
import { DEFAULT_LIMIT, MAX_LIMIT, type Paged } from '../base/page.ts'
import { builder } from './builder.ts'
import { PAGE_ITEMS } from './list-size.ts'

type Types = typeof builder.$inferSchemaTypes

/** The arguments of a paged list. */
export const pageArgs = (defaultLimit = DEFAULT_LIMIT) =>
  builder.args((t) => ({
    page: t.int({ defaultValue: 1, description: 'The number of the page, from 1.' }),
    limit: t.int({
      defaultValue: defaultLimit,
      description: `Items per page, from 1; above ${MAX_LIMIT} counts as ${MAX_LIMIT}.`,
    }),
  }))

/** The argument of a list that has a length but no pages. */
export const limitArgs = (defaultLimit: number, maximum = MAX_LIMIT) =>
  builder.args((t) => ({
    limit: t.int({
      defaultValue: defaultLimit,
      description: `Items at most, from 1; above ${maximum} counts as ${maximum}.`,
    }),
  }))

/** Gives a page type its fields; `plural` is what its items are called. */
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
        description: `The ${plural} of this page; none past the end.`,
      } as never),
      total: t.exposeInt('total', { description: `How many ${plural} there are on all pages.` }),
      page: t.exposeInt('page', { description: 'The number of the page, from 1.' }),
      limit: t.exposeInt('limit', { description: 'Items per page at most.' }),
    }),
  })
}
