// `calibrate`: fits the scorecard again to folders of labelled tokens. It reads the data in place and writes only
// points, which are the same for the same folders and seed.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

const SEED = 1

export function createCalibrate(context: Context): Command {
  return new Command('calibrate')
    .description('Fit the risk scorecard to folders of labelled tokens, and report its accuracy on held-out tokens.')
    .argument('<folders...>', 'folders with labels.csv and events.csv.gz')
    .requiredOption('--out <file>', 'file to write the scorecard to, such as src/scoring/scorecard.json')
    .option('--seed <number>', 'seed of all random choices', parseWhole(0), SEED)
    .action(async (folders: string[], { out, seed }: { out: string; seed: number }) => {
      const { calibrate } = await import('../scoring/evaluation/calibrate.ts')
      const { scorecard, heldOut } = calibrate(folders, seed)
      writeFileSync(out, `${JSON.stringify(scorecard)}\n`)
      const rows = heldOut.map(({ source, protocol, n, auc }) => [source, protocol, n, auc?.toFixed(3) ?? '-'])
      for (const line of formatTable(['folder', 'protocol', 'n', 'AUC (held out)'], rows)) context.print(line)
      context.print(`${out}: ${scorecard.trees.length} trees over ${scorecard.inputs.length} inputs.`)
    })
}
