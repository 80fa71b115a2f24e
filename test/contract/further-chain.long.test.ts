// The contract of a further chain, below its path: the same tests as of the default one. Those of the edge, which have
// nothing of a chain, run once.
import { chainUnderTest } from '../support/chain-under-test.ts'

chainUnderTest.name = 'other'

await import('./every-route.test.ts')
await import('./routes.test.ts')
await import('./graphql.test.ts')
await import('./alerts.test.ts')
await import('./keys.test.ts')
await import('./links.test.ts')
await import('./sql.test.ts')
