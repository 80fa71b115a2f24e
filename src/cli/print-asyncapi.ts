// `print-asyncapi`: prints the AsyncAPI description of the stream and of webhooks; needs no database.
import { Command } from 'commander'
import type { Context } from './context.ts'

export function createPrintAsyncApi(context: Context): Command {
  return new Command('print-asyncapi')
    .description('Print the AsyncAPI description of the stream of events and of webhooks.')
    .action(async () => {
      const { printAsyncApi } = await import('../describe/asyncapi.ts')
      context.print(printAsyncApi().trimEnd())
    })
}
