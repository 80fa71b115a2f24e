// `print-schema`: prints the GraphQL schema; needs no database.
import { Command } from 'commander'
import type { Context } from './context.ts'

export function createPrintSchema(context: Context): Command {
  return new Command('print-schema').description('Print the GraphQL schema.').action(async () => {
    const { printSchema } = await import('../graph/run/schema.ts')
    context.print(printSchema().trimEnd())
  })
}
