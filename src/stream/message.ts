// What streams say besides their data: why one ended, and where its reader goes on.

/** Why a stream ended. */
export const END_REASONS = {
  done: 'The chain is past the end that the filter names, for good.',
  leaving: 'The server is about to stop: connect again.',
  slow: 'You read more slowly than events arrive: connect again, with a narrower filter or a faster reader.',
  replaced: 'Your account went on with this stream on another connection.',
  unauthorized: 'The API key is not valid any more.',
  rate_limited: 'The next hour of the stream is beyond the limit of your plan.',
  reset: 'The index is being made anew: connect again when it is there.',
  failed: 'Something went wrong on our side: connect again in a moment.',
} as const
export type EndReason = keyof typeof END_REASONS

/** Aborts a stream's signal with its reason. */
export class StreamEnd extends Error {
  override name = 'StreamEnd'
  readonly reason: EndReason

  constructor(reason: EndReason, message: string = END_REASONS[reason]) {
    super(message)
    this.reason = reason
  }
}

/** Why a signal was aborted; null: nobody reads any more. */
export const endOf = (signal: AbortSignal): StreamEnd | null =>
  signal.reason instanceof StreamEnd ? signal.reason : null
