// Responses that last until their reader or the server leaves. They have their own bounds instead of those on answers:
// on their number (stream/session.ts), and on a slow reader (stream/feed.ts).
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
