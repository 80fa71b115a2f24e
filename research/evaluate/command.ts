// `npm run research -- evaluate`: measures the scores on labelled data. Needs no database and no configuration.
import { Command } from 'commander'
import { parseWhole } from '../../src/cli/argument.ts'
import { printTables, type Say } from '../command.ts'
import { evaluateFolder } from './evaluate.ts'
import { tabulate } from './report.ts'

/** Seed of the aligned peers, the resamples and the injected wash trades. */
const SEED = 1

export function createEvaluate(print: Say): Command {
  return new Command('evaluate')
    .description('Measure the scores on a folder of labelled tokens, labelled wallets, or reviewed sybils.')
    .argument('<folder>', 'folder with the data; its files tell the kind')
    .option('--json', 'print one JSON object')
    .option('--seed <number>', 'seed of all random choices', parseWhole(0), SEED)
    .action((folder: string, { json, seed }: { json?: true; seed: number }) => {
      const evaluation = evaluateFolder(folder, seed)
      if (json) print(JSON.stringify(evaluation))
      else printTables(tabulate(evaluation), print)
    })
}
