// The experiments on labelled data and on contracts: `npm run research -- NAME`.
import type { Scripts } from '../test/support/scripts.ts'

export const RESEARCH: Scripts = {
  command: 'research',
  base: import.meta.url,
  scripts: {
    evaluate: { file: 'evaluate/run.ts', does: 'judges the scores on labelled data', needs: 'generate' },
    calibrate: { file: 'calibrate/run.ts', does: 'fits the risk models to labelled tokens', needs: 'generate' },
    zoo: { file: 'zoo/run.ts', does: 'runs traps and honest tokens through the program', needs: 'generate' },
    powers: { file: 'powers/run.ts', does: 'compares found powers of contracts with labels', needs: 'generate' },
    logs: {
      file: 'logs/run.ts',
      does: 'measures how well logs alone show whether buyers could sell',
      needs: 'generate',
    },
    relayed: {
      file: 'relayed/run.ts',
      does: 'compares the demo with itself, relayed in three ways',
      needs: 'generate',
    },
    payments: {
      file: 'payments/run.ts',
      does: 'finds known owners of several wallets, by what a node shows of payments',
      needs: 'generate',
    },
    goldens: { file: 'goldens/run.ts', does: 'decodes recorded transactions and compares amounts', needs: 'generate' },
  },
}
