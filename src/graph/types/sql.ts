// SQL of a caller over the exported tables: the rows, and the block that they reflect.
import { moveDeadline } from '../../base/deadline.ts'
import { AssayError } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { TABLE_NAMES } from '../../export/table.ts'
import type { QueryResult } from '../../sql/job.ts'
import { SQL_LIMITS } from '../../sql/limits.ts'
import type { PartialView } from '../../sql/snapshot.ts'
import type { SqlAnswer } from '../../sql/sql.ts'
import type { GraphContext } from '../context.ts'
import { asLongAs, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'

/** The price of a query. */
export const SQL_REQUESTS = 5

const SqlColumnObject = builder.objectRef<QueryResult['columns'][number]>('SqlColumn').implement({
  extensions: PART,
  description: 'A column of an answer to SQL.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, as the fields of the rows have it.' }),
    type: t.exposeString('type', { description: 'Its type in DuckDB.' }),
  }),
})

const PartialViewObject = builder.objectRef<PartialView>('PartialView').implement({
  extensions: PART,
  description: 'A view that lacks older rows.',
  fields: (t) => ({
    view: t.exposeString('view', { description: 'The name of the view.' }),
    since: t.expose('since', { type: 'DateTime', description: 'The time of its first row.' }),
  }),
})

const SqlBlockObject = builder.objectRef<SqlAnswer['head']>('SqlBlock').implement({
  extensions: PART,
  description: 'The block that an answer to SQL reflects.',
  fields: (t) => ({
    blockNumber: t.exposeInt('number', { description: 'The number of the block.' }),
    timestamp: t.expose('time', { type: 'DateTime', description: 'The time of the block.' }),
  }),
})

const SqlAnswerObject = builder.objectRef<SqlAnswer>('SqlAnswer').implement({
  extensions: PART,
  description: 'The answer to SQL.',
  fields: (t) => ({
    asOf: t.expose('head', { type: SqlBlockObject, description: 'The block that the rows reflect.' }),
    columns: t.expose('columns', {
      type: [SqlColumnObject],
      description: 'The columns, in their order.',
      extensions: listOf(SQL_LIMITS.columns),
    }),
    rows: t.expose('rows', { type: 'Rows', description: 'The rows, with a field for each column.' }),
    rowCount: t.int({ description: 'How many rows the answer has.', resolve: ({ rows }) => rows.length }),
    truncated: t.exposeBoolean('truncated', { description: 'Whether further rows were left out.' }),
    partial: t.expose('partial', {
      type: [PartialViewObject],
      description: 'The views that lack older rows; mostly empty.',
      extensions: listOf(TABLE_NAMES.length),
    }),
  }),
})

async function run(query: string, { sql, caller, signal }: GraphContext): Promise<SqlAnswer> {
  if (!sql) throw new AssayError('FORBIDDEN', 'SQL is off on this server: the setting SQL=on turns it on.')
  if (caller.plan !== 'api') throw new AssayError('FORBIDDEN', 'SQL is for accounts on the API plan.')
  moveDeadline(signal, sql.answerWithinMs)
  return sql.run(caller.accountId, query, signal)
}

builder.queryFields((t) => ({
  sql: t.field({
    type: SqlAnswerObject,
    description: `One SELECT of DuckDB over the views ${TABLE_NAMES.join(', ')}, for accounts on the API plan. It costs ${SQL_REQUESTS} requests.`,
    args: {
      query: t.arg.string({ required: true, description: `The SELECT, of ${SQL_LIMITS.text} characters at most.` }),
    },
    extensions: asLongAs(SQL_REQUESTS * MAX_LIMIT),
    resolve: (_, { query }, context) => {
      context.markUncacheable()
      return run(query, context)
    },
  }),
}))
