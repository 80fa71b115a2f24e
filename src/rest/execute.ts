// The seam to the graph: a route's document runs in process, with the caller in its context.
import type { Head } from '../ledger/head.ts'
import type { Admission } from './admit.ts'

/** Runs the document; throws the error of the first field that failed. `answer` is its root field, `head` the block it reflects. */
export type Execute = (
  document: string,
  variables: Record<string, unknown>,
  admission: Admission,
) => Promise<{ answer: unknown; head: Head }>
