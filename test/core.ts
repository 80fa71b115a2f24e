// The core of the tests, which `npm test` runs: the contract, numbers, scores, one story in a browser, and each promise of
// README.md once. Its goal is two minutes on two quiet processors. `npm run test:all` runs every other test file.

/** Folders below `test`, and the test files in them, without their endings. A `*` stands for all files of the folder. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  // The rules of the code, and a first start.
  '.': ['architecture', 'core', 'main', 'words'],
  // The contract: each route, parameter, field, error, limit and price.
  contract: ['alerts', 'digits', 'edge', 'every-route', 'graphql', 'keys', 'links', 'routes', 'sql'],
  describe: ['openapi', 'sent'],
  graph: ['token-list', 'walk'],
  'graph/cost': ['*'],
  'graph/http': ['server'],
  'graph/run': ['*'],
  rest: ['*'],
  'rest/contract': ['alert-body', 'csv', 'documents', 'name-route', 'params'],
  'rest/edge': ['connections', 'deadline', 'errors', 'etag', 'readiness'],
  // Numbers: a log becomes an amount, a price, a profit.
  base: ['*'],
  'book/logs': ['*'],
  'book/prices': ['*'],
  'book/rows': ['*'],
  'book/trades': ['*'],
  'chain/exchanges': ['*'],
  'chain/logs': ['columns', 'decode', 'lock-events'],
  'chain/presets': ['*'],
  'chain/rpc': ['*'],
  'chain/source': ['at-once', 'providers', 'ranges', 'whole-blocks'],
  gate: ['*'],
  indexing: ['asked-checks', 'call-budget', 'contract-checks', 'head-watch', 'pace', 'progress', 'rescore', 'troubles'],
  'ledger/read': ['event-page', 'first-checks', 'holder', 'meeting'],
  'ledger/write': ['coins-and-curves', 'launch', 'quotes', 'removals', 'stakes', 'token-lock', 'worth', 'writer'],
  // Scores.
  safety: ['aftermath', 'judge', 'logs', 'market', 'taken'],
  scoring: ['*'],
  // Stories: the demo, and a trader in a browser.
  story: ['definitions', 'demo', 'newcomers', 'rug-pullers', 'series', 'summaries', 'worked-examples'],
  web: ['story'],
  // The pages, and what README.md promises besides.
  access: ['demo-key', 'guard', 'key', 'limits', 'network', 'usage'],
  alerts: ['crossings', 'job', 'match', 'message', 'sweep', 'webhook'],
  docs: ['demo-scores', 'examples-readme', 'export', 'links', 'prose', 'reference', 'releases', 'sql'],
  mcp: ['*'],
  stream: ['event-filter', 'events', 'feed', 'ticket'],
}

/** As patterns of paths. */
export const CORE: readonly string[] = Object.entries(PARTS).flatMap(([folder, names]) =>
  names.map((name) => `test/${folder === '.' ? '' : `${folder}/`}${name}.test.ts`),
)
