// A Pothos plugin for fields that show stored columns. The Prisma plugin wraps each such field, and reads a row again
// if a hand-written statement had read it. This plugin looks at the row instead. Columns in the type's `select` are in
// every row and cost nothing; one query reads any other column for all rows.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import { getModel } from '@pothos/plugin-prisma'
import type { GraphQLFieldResolver } from 'graphql'
import type { GraphContext } from '../context.ts'
import { columnLoader } from './column-loader.ts'

const NAME = 'storedColumns'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      storedColumns: StoredColumnsPlugin<Types>
    }
  }
}

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** The columns that a selection names; null if it also names relations, or depends on arguments. */
function columnsOf(selection: unknown): string[] | null {
  if (!isRow(selection)) return null
  const all = Object.entries(selection)
  return all.length > 0 && all.every(([, value]) => value === true) ? all.map(([column]) => column) : null
}

/** Handles fields that select columns instead of the Prisma plugin, which keeps relations. Must run after it. */
class StoredColumnsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const columns = field.kind === 'PrismaObject' ? columnsOf(field.extensions?.pothosPrismaSelect) : null
    const always = this.buildCache.getTypeConfig(field.parentType).extensions?.pothosPrismaSelect
    if (!columns || !isRow(always)) return field
    const missing = columns.filter((column) => always[column] !== true)
    return { ...field, extensions: { ...field.extensions, pothosPrismaSelect: undefined, storedColumns: missing } }
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const columns = field.extensions?.storedColumns as string[] | undefined
    const model = this.buildCache.getTypeConfig(field.parentType).extensions?.pothosPrismaModel
    if (!columns || columns.length === 0 || typeof model !== 'string') return resolve
    const { primaryKey, fields } = getModel(model, this.builder)
    const keyColumns = primaryKey?.fields ?? fields.filter(({ isId }) => isId).map(({ name }) => name)
    const delegate = model.charAt(0).toLowerCase() + model.slice(1)
    const has = (row: Row) => columns.every((column) => row[column] !== undefined)
    return (parent, args, context, info) => {
      const row = parent as Row
      if (has(row)) return resolve(row, args, context, info)
      const key = Object.fromEntries(keyColumns.map((column) => [column, row[column]]))
      return columnLoader(context as unknown as GraphContext, delegate)
        .load({ key, columns })
        .then((loaded) => {
          // The columns are added to the shared row, which is safe because all its users read at the same block.
          // Copying the row for each field doubled the time.
          if (!has(row)) Object.assign(row, loaded)
          return resolve(row, args, context, info)
        })
    }
  }
}

SchemaBuilder.registerPlugin(NAME, StoredColumnsPlugin)

export const STORED_COLUMNS = NAME
