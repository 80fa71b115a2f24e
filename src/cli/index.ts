// `index`: follows the chain up to a block and ends. `reindex`: first undoes what the index knows from a block on.
import { Command } from 'commander'
import { parseUntil, parseWhole } from './argument.ts'
import type { AppOptions, Context } from './context.ts'
import { createProgressView } from './progress.ts'

/** The command. */
export function createIndex(context: Context): Command {
  return new Command('index')
    .description('Index up to a block, or to the newest block of the source as it is now, and exit.')
    .option('--until <block>', 'a block number, or head', parseUntil, 'head' as const)
    .action(({ until }: { until: number | 'head' }) => run(context, { until }))
}

/** The command. */
export function createReindex(context: Context): Command {
  return new Command('reindex')
    .description(
      'Undo the index from a block on, index anew up to the newest block, and exit. Blocks that are final cannot be undone: then all of it is indexed anew.',
    )
    .option('--from <block>', 'the first block to index anew', parseWhole(0), 0)
    .action(({ from }: { from: number }) => run(context, { until: 'head', reindexFrom: from }))
}

async function run(context: Context, what: Pick<AppOptions, 'until' | 'reindexFrom'>): Promise<void> {
  const { clock, signal } = context
  const log = context.log()
  const view = await createProgressView(context)
  const onProgress = view.show
  const app = await context.openApp({
    config: context.config(),
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
