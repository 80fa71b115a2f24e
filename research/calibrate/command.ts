// `npm run research -- calibrate`: fits the risk models to folders of labelled tokens, and prints the quality of such models on
// later tokens that no fit saw. The data stay in place. The output is points, the same for the same folders and seed.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseWhole } from '../../src/cli/argument.ts'
import { printTables, type Say } from '../command.ts'
import { readTraps } from '../labels/traps.ts'
import { calibrate } from './calibrate.ts'
import { tabulateExam } from './exam-report.ts'
import { mergeLevels } from './merge-levels.ts'

const SEED = 1

interface Options {
  out: string
  alike?: string
  seed: number
  traps?: string
}

export function createCalibrate(print: Say): Command {
  return new Command('calibrate')
    .description('Fit the risk models to folders of labelled tokens, and judge such models on later tokens.')
    .argument(
      '<folders...>',
      'folders with labels.csv and events.csv.gz; those that share tokens are one market; of a chain with several the newest first',
    )
    .requiredOption('--out <file>', 'where to write the models, such as src/scoring/risk-model.json')
    .option('--alike <file>', 'where to write what became of each level, such as src/verdict/alike.json')
    .option('--traps <folder>', 'with labels.csv of tokens that could not be sold, for a table of its own')
    .option('--seed <number>', 'of the peers that are drawn', parseWhole(0), SEED)
    .action((folders: string[], { out, alike, seed, traps }: Options) => {
      const { models, exam } = calibrate(folders, seed, traps === undefined ? undefined : readTraps(traps))
      writeFileSync(out, `${JSON.stringify(models)}\n`)
      if (alike !== undefined) writeFileSync(alike, `${JSON.stringify(mergeLevels(exam.levels))}\n`)
      printTables(tabulateExam(exam), print)
    })
}
