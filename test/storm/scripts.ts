// What breaks a running program on purpose, or holds it for long: `npm run storm -- NAME`.
import type { Scripts } from '../support/scripts.ts'

export const STORMS: Scripts = {
  command: 'storm',
  base: import.meta.url,
  scripts: {
    kill: { file: 'kill.ts', needs: 'generate', does: 'an index that is killed at random moments' },
    faults: { file: 'faults.ts', needs: 'generate', does: 'the faults of nodes and providers, one after another' },
    reorg: { file: 'reorg.ts', needs: 'generate', does: 'random reorganisations, many' },
    hostile: { file: 'hostile.ts', needs: 'build', does: 'attacks beside an honest client' },
    cluster: { file: 'cluster.ts', needs: 'generate', does: 'each part of a cluster killed once' },
    split: { file: 'split.ts', needs: 'generate', does: 'tables over two PostgreSQL servers' },
    page: { file: '../web/soak.ts', needs: 'generate', does: 'a page that stays open' },
  },
}
