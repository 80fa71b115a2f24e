// `calibrate`: fits the risk model to folders of labelled tokens, and says how it does on periods and markets that a
// fit never saw. The data stay where they are; what is written is points, the same for the same folders and seed.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseWhole } from './argument.ts'
import type { Context } from './context.ts'
import { formatTable } from './table.ts'

const SEED = 1

export function createCalibrate(context: Context): Command {
  return new Command('calibrate')
    .description('Fit the risk model to folders of labelled tokens, and judge it on periods and markets left out.')
    .argument('<folders...>', 'folders with labels.csv and events.csv.gz; those that share tokens are one market')
    .requiredOption('--out <file>', 'where to write the model, such as src/scoring/risk-model.json')
    .option('--seed <number>', 'of the peers that are drawn', parseWhole(0), SEED)
    .action(async (folders: string[], { out, seed }: { out: string; seed: number }) => {
      const { calibrate } = await import('../scoring/evaluation/calibrate.ts')
      const { model, temperature, heldOut } = calibrate(folders, seed)
      writeFileSync(out, `${JSON.stringify(model)}\n`)
      const ratio = (value: number | null) => value?.toFixed(3) ?? '-'
      const heads = ['folder', 'protocol', 'n', 'period left out', 'market left out', 'hand formula']
      const rows = heldOut.map((it) => {
        const aucs = [it.byTime, it.byMarket, it.formula].map(ratio)
        return [it.source, it.protocol, it.n, ...aucs]
      })
      context.print(`AUC of the published score. The log-odds of the fit were multiplied by ${temperature}.`)
      for (const line of formatTable(heads, rows)) context.print(line)
      context.print('')
      const bands = ['below 30', 'below 50', 'below 65', 'from 65'].map((band) => `${band}: score, rugs (tokens)`)
      const reliability = heldOut.map(({ source, protocol, calibration }) => {
        return [source, protocol, ...calibration.map((it) => `${it.score.toFixed(0)}, ${ratio(it.rugShare)} (${it.n})`)]
      })
      for (const line of formatTable(['folder', 'protocol', ...bands], reliability)) context.print(line)
    })
}
