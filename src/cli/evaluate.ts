// `evaluate`: how well the scores do on labelled data. Needs no database and no configuration.
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

/** Draws the aligned peers, the resamples and the injected wash trades. */
const SEED = 1

/** The command. */
export function createEvaluate(context: Context): Command {
  return new Command('evaluate')
    .description('Judge the scores on a folder of labelled tokens, of wallets, or of reviewed sybils.')
    .argument('<folder>', 'its kind is told by its files')
    .option('--json', 'print one JSON object')
    .option('--seed <number>', 'of everything that is drawn', parseWhole(0), SEED)
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
