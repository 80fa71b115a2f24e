// Responses that go on until their reader or the server leaves. The bounds on answers are lifted for them; instead they have
// bounds of their own: how many there are (stream/session.ts), and how far behind a reader may fall (stream/feed.ts).
import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import { localsOf } from './admit.ts'
import type { Traffic } from './traffic.ts'

const streams = new WeakSet<ServerResponse>()

/** Whether the response is a stream. */
export const isStream = (response: ServerResponse): boolean => streams.has(response)

/** Makes the response a stream: it has no deadline, and is not in flight any more. */
export function beginStream(response: Response, traffic: Traffic): void {
  streams.add(response)
  for (const lift of localsOf(response).lift ?? []) lift()
  traffic.inFlight -= 1
  traffic.streams += 1
  response.once('close', () => {
    traffic.inFlight += 1
    traffic.streams -= 1
  })
}
