// Reports requests to a provider, for metrics: a provider bills by method. Input: an endpoint. Output: the same
// endpoint, whose requests are reported before they are sent.
import type { Call, Endpoint } from './endpoint.ts'

/** One request: its calls by method. */
export interface SentRequest {
  calls: Readonly<Record<string, number>>
}

/** Reports each request of the endpoint. */
export const reportSent = (endpoint: Endpoint, onSent: (sent: SentRequest) => void): Endpoint => ({
  name: endpoint.name,
  send(calls, signal) {
    onSent({ calls: countByMethod(calls) })
    return endpoint.send(calls, signal)
  },
})

function countByMethod(calls: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { method } of calls) counts[method] = (counts[method] ?? 0) + 1
  return counts
}
