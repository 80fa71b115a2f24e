// Pure. The variables of a route's document from the values of its request. REST counts pages from 1, names orders of
// tokens, and filters events by single words; GraphQL has one form of each.
import { AssayError, type Fault, invalid } from '../../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import type { TokenSort } from '../../base/vocabulary.ts'
import { liftConditions, toSnake } from '../../fields/field.ts'
import { isMoverSort, SORT_ORDERS } from '../../fields/screen.ts'
import { CONDITIONS } from '../../fields/token.ts'

type Values = Record<string, unknown>

/** The largest GraphQL Int. Any later page is empty too, so it is read as this one. */
const MAX_OFFSET = 2 ** 31 - 1

/** The page that the values ask for. */
export function pageOf({ page, limit }: Values): { page: number; limit: number } {
  return { page: Number(page ?? 1), limit: Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT) }
}

/** Counts the items of the page instead. */
export function toStretch({ page: _, limit: __, ...values }: Values, asked: { page: number; limit: number }): Values {
  return { ...values, first: asked.limit, offset: Math.min((asked.page - 1) * asked.limit, MAX_OFFSET) }
}

/** GET /tokens: the filter, the order by its name, and the block of the list. */
export function toTokenList({ sort = 'trending', asOf, ...values }: Values): Values {
  const named = sort as TokenSort
  const orderBy = isMoverSort(named)
    ? [{ field: 'price_change_h24', direction: named === 'gainers' ? 'desc' : 'asc' }]
    : SORT_ORDERS[named].map(({ measure, descending }) => ({
        field: toSnake(measure),
        direction: descending ? 'desc' : 'asc',
      }))
  return { ...liftConditions(CONDITIONS, values), orderBy, ...(asOf !== undefined && { asOf: { block: asOf } }) }
}

/** GET /events and GET /wallets/{address}/events: the filter and the direction. */
export function toEventList(values: Values): Values {
  const { type, since, until, after, before, order, tokenAddress, walletAddress, ...rest } = values
  const filter = {
    ...(type !== undefined && { types: [type] }),
    ...(tokenAddress !== undefined && { tokens: [tokenAddress] }),
    ...(walletAddress !== undefined && { wallets: [walletAddress] }),
    // `since` is excluded, `from` included; times are exact to a millisecond.
    ...(since !== undefined && { from: new Date(Date.parse(String(since)) + 1).toISOString() }),
    ...(until !== undefined && { to: until }),
    ...(after !== undefined && { afterEvent: after }),
    ...(before !== undefined && { beforeEvent: before }),
  }
  return { ...rest, filter, ...(order !== undefined && { direction: order }) }
}

/** The parameters behind the arguments of documents, where their names differ. */
const WIRE: Readonly<Record<string, string>> = { offset: 'page', 'asOf.block': 'as_of', 'filter.to': 'until' }

/** Throws the refusal with the names that the caller sent. `hasBody`: arguments of the document are fields of the body. */
export function throwInWireNames(error: unknown, hasBody: boolean): never {
  if (!(error instanceof AssayError)) throw error
  const faults = error.faults.map((fault): Fault => {
    const field = WIRE[fault.field]
    if (field !== undefined) return { location: 'query', field, message: fault.message.replaceAll(fault.field, field) }
    if (!hasBody || fault.location !== 'argument') return fault
    const name = fault.field.startsWith('input.') ? toSnake(fault.field.slice('input.'.length)) : fault.field
    return { location: 'body', field: name, message: fault.message.replaceAll(fault.field, name) }
  })
  throw faults.some((fault, at) => fault !== error.faults[at]) ? invalid(faults) : error
}
