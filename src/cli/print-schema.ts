// `print-schema`: the GraphQL schema as text; needs no database.
import { Command } from 'commander'
import type { Context } from './context.ts'

/** The command. */
export function createPrintSchema(context: Context): Command {
  return new Command('print-schema').description('Print the GraphQL schema.').action(async () => {
    const { printSchema } = await import('../graph/schema.ts')
    context.print(printSchema().trimEnd())
  })
}
