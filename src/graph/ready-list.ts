// The list of tokens of a document of ours as text, put together from rows that are kept ready: byte for byte what running the
// document gives. It is null where the document has to be run: while the board is loading, or not at the answer's block.
import { getOperationAST, parse } from 'graphql'
import { FILTER_FIELDS } from '../base/filter.ts'
import { offsetOf } from '../base/page.ts'
import { SORT_ORDERS } from '../base/screen.ts'
import type { TokenSort } from '../base/vocabulary.ts'
import type { Board, MovingValues } from '../board/board.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
import type { ReadAtOneBlock, Reading } from '../ledger/read/consistent-read.ts'
import { readTokensById } from '../ledger/read/token.ts'
import { readPage } from './page-arguments.ts'
import { createRowWriter, fieldsOf, type WriteRow } from './row-writer.ts'
import { readScreen } from './screen.ts'

type Variables = Readonly<Record<string, unknown>>

/** The page, of one block; null: run the document. */
export type ReadList = (
  document: string,
  variables: Variables,
  signal?: AbortSignal,
) => Promise<{ body: string; head: Head } | null>

/** What changes with every block of the token with this address, and the newest block; null: run the document. */
export type ReadMoving = (address: string) => Promise<{ values: MovingValues; head: Head } | null>

export const createReadMoving =
  (feed: BoardFeed | null, watch: Pick<HeadWatch, 'current'>): ReadMoving =>
  async (address) => {
    const head = watch.current()
    const values = (await feed?.at(head))?.movingOf(address)
    return values ? { values, head } : null
  }

/** Fields of a token that change with every block; the board has their values. */
const MOVING = ['ageHours', 'marketCapUsd'] as const
/** What the documents of lists that can be written have in a page. */
const PAGE = new Set(['items', 'total', 'page', 'limit'])

/** The reader of lists. The first document that it is asked for is the only one whose rows it keeps. */
export function createReadList(feed: BoardFeed | null, readAtOneBlock: ReadAtOneBlock<Reading>): ReadList {
  let compiled: { document: string; list: CompiledList } | undefined
  return async (document, variables, signal) => {
    if (!feed) return null
    compiled ??= { document, list: compile(document) }
    const { list } = compiled
    if (document !== compiled.document) return null
    return readAtOneBlock(async (reading) => {
      const board = await feed.at(reading.head)
      return board && write(board, reading, list, variables)
    }, signal)
  }
}

interface CompiledList {
  /** The fields of a page with the keys that they have in the answer. */
  fields: readonly { key: string; name: string }[]
  writeRow: WriteRow
  /** The moving fields in their order. */
  moving: readonly (typeof MOVING)[number][]
}

function compile(document: string): CompiledList {
  const operation = getOperationAST(parse(document, { noLocation: true }))
  const [root] = operation ? fieldsOf(operation) : []
  if (root?.name.value !== 'tokens') throw new Error('the document lists no tokens')
  const page = fieldsOf(root)
  const items = page.find(({ name }) => name.value === 'items')
  if (!items || page.some(({ name }) => !PAGE.has(name.value))) throw new Error('the document is not of a page')
  const fields = page.map(({ name, alias }) => ({ key: JSON.stringify(alias?.value ?? name.value), name: name.value }))
  const selected = fieldsOf(items)
  const moving = selected.flatMap(({ name }) => MOVING.filter((field) => field === name.value))
  return { fields, writeRow: createRowWriter('Token', selected, MOVING), moving }
}

async function write(board: Board, reading: Reading, list: CompiledList, variables: Variables) {
  const filter = Object.fromEntries(Object.keys(FILTER_FIELDS).map((field) => [field, variables[field]]))
  const { page, limit } = readPage(variables as { page?: number; limit?: number })
  const order = SORT_ORDERS[(variables.sort as TokenSort | undefined) ?? 'trending']
  const screen = readScreen(filter, 'filter')
  if (!board.isReady(order)) return null
  const { ids, total } = board.list({ screen, order, offset: offsetOf({ page, limit }), limit })
  const rows = await readRows(board, reading, ids, list)
  if (!rows) return null
  const values: Record<string, unknown> = { items: `[${rows.join(',')}]`, total, page, limit }
  const body = `{${list.fields.map(({ key, name }) => `${key}:${values[name]}`).join(',')}}`
  return { body, head: reading.head }
}

/** The texts of the tokens; null where the board moved on, or the rows in the database say something else than the board. */
async function readRows(
  board: Board,
  reading: Reading,
  ids: readonly number[],
  { writeRow, moving }: CompiledList,
): Promise<string[] | null> {
  const { texts } = board
  const parts = new Map(ids.map((id) => [id, texts.get(id)]))
  const missing = ids.filter((id) => !parts.get(id))
  if (missing.length > 0) {
    const revision = texts.revision()
    const read = await readTokensById(reading, missing)
    if (revision !== texts.revision() || read.length < missing.length || !read.every(board.agrees)) return null
    for (const row of read) {
      const text = writeRow(row)
      texts.set(row.id, text, revision)
      parts.set(row.id, text)
    }
  }
  return ids.map((id) => {
    const [first = '', ...rest] = parts.get(id) ?? []
    const now = board.moving(id)
    return rest.reduce((text, part, at) => `${text}${now[moving[at] ?? 'ageHours']}${part}`, first)
  })
}
