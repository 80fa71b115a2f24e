// `print-openapi`: prints the OpenAPI description of REST; needs no database.
import { Command } from 'commander'
import type { Context } from './context.ts'

export function createPrintOpenApi(context: Context): Command {
  return new Command('print-openapi').description('Print the OpenAPI description of REST.').action(async () => {
    const { printOpenApi } = await import('../describe/openapi.ts')
    context.print(printOpenApi().trimEnd())
  })
}
