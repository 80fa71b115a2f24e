// What can be measured: `npm run bench -- NAME`.
import type { Scripts } from '../support/scripts.ts'

export const BENCHES: Scripts = {
  command: 'bench',
  base: import.meta.url,
  scripts: {
    answers: {
      file: 'answers.ts',
      needs: 'build',
      does: 'answers beside a hand-written server; the board; memory and start',
    },
    index: { file: 'index/run.ts', needs: 'build', does: "indexing beside the node's own rate" },
    head: { file: 'head.ts', needs: 'generate', does: 'delay from a block to its answers and scores' },
    reorganisation: { file: 'reorganisation.ts', does: 'undoing thousands of blocks, and making thousands final' },
    providers: { file: 'providers.ts', needs: 'generate', does: 'requests to a provider, and bills' },
    costs: { file: 'costs.ts', does: 'the monthly cost of chains' },
    streams: { file: 'streams.ts', needs: 'generate', does: 'delay and memory of 1,000 streams' },
    rescore: { file: 'rescore.ts', needs: 'generate', does: 'scoring all tokens and wallets' },
    chains: { file: 'chains.ts', needs: 'build', does: 'memory and answers of several chains' },
    'check-now': { file: 'check-now.ts', needs: 'generate', does: 'the wait for a contract check' },
    'check-calls': { file: 'check-calls.ts', does: 'requests and time of one contract check' },
    checks: { file: 'checks.ts', needs: 'generate', does: 'calls and time of contract checks' },
    alerts: { file: 'alerts.ts', does: 'many alerts against tokens that moved' },
    export: { file: 'export.ts', needs: 'build', does: 'exports of millions of events' },
    parquet: { file: 'parquet.ts', does: 'hyparquet beside DuckDB: reading logs, writing exports' },
    history: { file: 'history.ts', needs: 'generate', does: 'bytes and pages of the history' },
    sql: { file: 'sql.ts', needs: 'generate', does: 'SQL over many million events' },
    backtest: { file: 'backtest.ts', needs: 'generate', does: 'a backtest of 30 days' },
  },
}
