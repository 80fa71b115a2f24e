// Loads columns that rows lack through Prisma: one query for all rows and columns requested together. The plugin's own
// loader asks row by row and leaves joining to Prisma, which takes ten times as long.
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { GraphContext } from '../context.ts'

type Row = Record<string, unknown>

interface Question {
  key: Row
  columns: readonly string[]
}

interface Delegate {
  findMany(query: { where: object; select: Record<string, true> }): Promise<Row[]>
}

const nameOf = (key: Row): string => Object.values(key).map(String).join(' ')

/** Rows with at least the columns asked for, in the order of the questions; an error for each row that does not exist. */
async function readColumns(delegate: Delegate, questions: readonly Question[]): Promise<(Row | Error)[]> {
  const keys = [...new Map(questions.map(({ key }) => [nameOf(key), key])).values()]
  const keyColumns = Object.keys(keys[0] ?? {})
  const [single, ...others] = keyColumns
  const where = single && others.length === 0 ? { [single]: { in: keys.map((key) => key[single]) } } : { OR: keys }
  const columns = new Set([...keyColumns, ...questions.flatMap((question) => question.columns)])
  const found = await delegate.findMany({ where, select: Object.fromEntries([...columns].map((name) => [name, true])) })
  const rows = new Map(found.map((row) => [keyColumns.map((name) => String(row[name])).join(' '), row]))
  return questions.map(({ key }) => rows.get(nameOf(key)) ?? new Error(`no row for ${nameOf(key)}`))
}

const loadersOf = createContextCache((_: GraphContext) => new Map<string, DataLoader<Question, Row, string>>())

/** The loader of a model's columns for one answer. `delegate` is the model's property on Prisma's client. */
export function columnLoader(context: GraphContext, delegate: string): DataLoader<Question, Row, string> {
  const loaders = loadersOf(context)
  const known = loaders.get(delegate)
  if (known) return known
  const client = context.prisma as unknown as Record<string, Delegate>
  const loader = new DataLoader<Question, Row, string>(
    (questions) => {
      const models = client[delegate]
      if (!models) throw new Error(`Prisma knows no ${delegate}`)
      return readColumns(models, questions)
    },
    { cacheKeyFn: ({ key, columns }) => `${nameOf(key)} ${columns.join(' ')}` },
  )
  loaders.set(delegate, loader)
  return loader
}
