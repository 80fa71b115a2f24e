// Lists: the arguments `page` and `limit`, and the object that carries a page's items with the total.
import type { ObjectRef } from '@pothos/core'
import { invalid } from '../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, type Page, type Paged, toPage } from '../base/page.ts'
import { builder } from './builder.ts'

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

/** The page that the arguments ask for; throws INVALID_PARAMS below 1. */
export function readPage(args: { page?: number | null | undefined; limit?: number | null | undefined }): Page {
  const faults = (['page', 'limit'] as const)
    .filter((field) => (args[field] ?? 1) < 1)
    .map((field) => ({ location: 'argument' as const, field, message: `${field} must be an integer >= 1` }))
  if (faults.length > 0) throw invalid(faults)
  return toPage(args.page, args.limit)
}

/** The length that the argument asks for; throws INVALID_PARAMS below 1. */
export function readLimit(limit: number | null | undefined, fallback: number, maximum = MAX_LIMIT): number {
  return Math.min(readPage({ limit: limit ?? fallback }) && (limit ?? fallback), maximum)
}

/** Gives a page type its fields; `plural` is what its items are called. */
export function implementPage<T>(page: ObjectRef<Types, Paged<T>>, item: ObjectRef<Types, T>, plural: string): void {
  builder.objectType(page, {
    description: `A page of ${plural}.`,
    fields: (t) => ({
      items: t.expose('items', {
        type: [item],
        description: `The ${plural} of this page; none past the end.`,
      } as never),
      total: t.exposeInt('total', { description: `How many ${plural} there are on all pages.` }),
      page: t.exposeInt('page', { description: 'The number of the page, from 1.' }),
      limit: t.exposeInt('limit', { description: 'Items per page at most.' }),
    }),
  })
}
