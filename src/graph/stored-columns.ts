// Columns that every row of a type brings along cost nothing to show. The Prisma plugin wraps each field that selects a
// column, to find out whether the parent has it: five lookups per field and row, and a query where it finds that nobody
// told it. What stands in the type's own `select` is in every row, of Prisma or of a flat statement, so nobody has to ask.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'

const NAME = 'storedColumns'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      storedColumns: StoredColumnsPlugin<Types>
    }
  }
}

/** Whether the field selects columns only, and all of them stand in the type's own `select`. */
function isInEveryRow(needed: unknown, always: unknown): boolean {
  if (!isSelection(needed) || !isSelection(always)) return false
  return Object.entries(needed).every(([column, value]) => value === true && always[column] === true)
}

const isSelection = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Takes the selection off such fields; the type's own selection still loads the column. After Prisma's plugin. */
export class StoredColumnsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (field.kind !== 'PrismaObject') return field
    const { extensions } = this.buildCache.getTypeConfig(field.parentType)
    if (!isInEveryRow(field.extensions?.pothosPrismaSelect, extensions?.pothosPrismaSelect)) return field
    return { ...field, extensions: { ...field.extensions, pothosPrismaSelect: undefined } }
  }
}

SchemaBuilder.registerPlugin(NAME, StoredColumnsPlugin)

export const STORED_COLUMNS = NAME
