// `evaluate`: measures the scores on labelled data. Needs no database and no configuration.
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

/** Seed of the aligned peers, the resamples and the injected wash trades. */
const SEED = 1

export function createEvaluate(context: Context): Command {
  return new Command('evaluate')
    .description('Measure the scores on a folder of labelled tokens, labelled wallets, or reviewed sybils.')
    .argument('<folder>', 'folder with the data; its files tell the kind')
    .option('--json', 'print one JSON object')
    .option('--seed <number>', 'seed of all random choices', parseWhole(0), SEED)
    .action(async (folder: string, { json, seed }: { json?: true; seed: number }) => {
      const { evaluateFolder } = await import('../scoring/evaluation/evaluate.ts')
      const { tabulate } = await import('../scoring/evaluation/report.ts')
      const evaluation = evaluateFolder(folder, seed)
      if (json) return context.print(JSON.stringify(evaluation))
      for (const { title, heads, rows } of tabulate(evaluation)) {
        context.print(title)
        for (const line of formatTable(heads, rows)) context.print(`  ${line}`)
        context.print('')
      }
    })
}
