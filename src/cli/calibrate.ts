// `calibrate`: fits the risk models to folders of labelled tokens, and prints the quality of such models on later
// tokens that no fit saw. The data stay in place. The output is points, the same for the same folders and seed.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

const SEED = 1

export function createCalibrate(context: Context): Command {
  return new Command('calibrate')
    .description('Fit the risk models to folders of labelled tokens, and judge such models on later tokens.')
    .argument('<folders...>', 'folders with labels.csv and events.csv.gz; those that share tokens are one market')
    .requiredOption('--out <file>', 'where to write the models, such as src/scoring/risk-model.json')
    .option('--seed <number>', 'of the peers that are drawn', parseWhole(0), SEED)
    .action(async (folders: string[], { out, seed }: { out: string; seed: number }) => {
      const { calibrate } = await import('../scoring/evaluation/calibrate.ts')
      const { models, exam } = calibrate(folders, seed)
      writeFileSync(out, `${JSON.stringify(models)}\n`)
      const print = (title: string, heads: string[], rows: (string | number)[][]) => {
        context.print(title)
        for (const line of formatTable(heads, rows)) context.print(line)
        context.print('')
      }
      const ratio = (value: number | null) => value?.toFixed(3) ?? '-'
      const rows = exam.rows.map((it) => {
        return [it.source, it.protocol, it.n, ...[it.pooled, it.mixed, it.capability, it.score].map(ratio)]
      })
      const heads = ['folder', 'protocol', 'n', 'pooled', 'mixed', 'capability', 'score']
      print('AUC on later tokens: of the fits, of the powers, and of the score', heads, rows)
      const share = ({ pulledShare, n }: { pulledShare: number | null; n: number }) => `${ratio(pulledShare)} (${n})`
      const chances = exam.reliability[0]?.chances.map(({ belowPct }) => `chance below ${belowPct} %`) ?? []
      const shares = exam.reliability.map(({ source, chances, low }) => [source, share(low), ...chances.map(share)])
      print('Share that was pulled within 30 days (tokens)', ['folder', 'low risk', ...chances], shares)
    })
}
