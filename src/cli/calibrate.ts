// `calibrate`: fits the scorecard anew to folders of labelled tokens. The data stay where they are; what is written is
// points, the same for the same folders and seed.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

const SEED = 1

/** The command. */
export function createCalibrate(context: Context): Command {
  return new Command('calibrate')
    .description('Fit the scorecard of the risk to folders of labelled tokens, and say how it does on tokens held out.')
    .argument('<folders...>', 'folders with labels.csv and events.csv.gz')
    .requiredOption('--out <file>', 'where to write the scorecard, such as src/scoring/scorecard.json')
    .option('--seed <number>', 'of everything that is drawn', parseWhole(0), SEED)
    .action(async (folders: string[], { out, seed }: { out: string; seed: number }) => {
      const { calibrate } = await import('../scoring/evaluation/calibrate.ts')
      const { scorecard, heldOut } = calibrate(folders, seed)
      writeFileSync(out, `${JSON.stringify(scorecard)}\n`)
      const rows = heldOut.map(({ source, protocol, n, auc }) => [source, protocol, n, auc?.toFixed(3) ?? '-'])
      for (const line of formatTable(['folder', 'protocol', 'n', 'AUC held out'], rows)) context.print(line)
      context.print(`${out}: ${scorecard.trees.length} trees over ${scorecard.inputs.length} inputs.`)
    })
}
