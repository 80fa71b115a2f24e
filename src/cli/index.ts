// `index`: follows the chain up to a block and ends. `reindex`: first undoes the index from a block on.
import { Command } from 'commander'
import { furtherChains } from '../base/config.ts'
import { StartupError } from '../base/errors.ts'
import { parseUntil, parseWhole } from './argument.ts'
import type { AppOptions, Context } from './context.ts'
import { createProgressView } from './progress.ts'

export function createIndex(context: Context): Command {
  return new Command('index')
    .description('Index up to a block, or to the current head of the source, and exit.')
    .option('--until <block>', 'a block number, or head', parseUntil, 'head' as const)
    .action(({ until }: { until: number | 'head' }) => run(context, { until }))
}

export function createReindex(context: Context): Command {
  return new Command('reindex')
    .description(
      'Undo the index from a block on, index again up to the head, and exit. If the block is final, it indexes ' +
        'everything again, because final blocks cannot be undone.',
    )
    .option('--from <block>', 'first block to index again', parseWhole(0), 0)
    .action(({ from }: { from: number }) => run(context, { until: 'head', reindexFrom: from }))
}

async function run(context: Context, what: Pick<AppOptions, 'until' | 'reindexFrom'>): Promise<void> {
  const { clock, signal } = context
  const log = context.log()
  const config = context.config()
  if (what.reindexFrom !== undefined && furtherChains(config).length > 0)
    throw new StartupError('CHAINS has several chains: name the one to index again with --chain.', 2)
  const view = await createProgressView(context)
  const onProgress = view.show
  const app = await context.openApp({
    config,
    log,
    clock,
    signal,
    roles: ['index'],
    onProgress,
    ...what,
  })
  try {
    await app.done
  } finally {
    view.end()
    await app.stop()
  }
  const last = view.last()
  if (last) context.print(`indexed up to block ${last.block}${app.chain ? ` of ${app.chain.name}` : ''}`)
}
