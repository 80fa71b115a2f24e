// The messages of streams besides their data: the reason of an end, and the place to continue.

/** Why a stream ended. */
export const END_REASONS = {
  done: 'Every block up to the end of the filter is final.',
  leaving: 'The server is about to stop: connect again.',
  slow: 'You read more slowly than events arrive: connect again, with a narrower filter or a faster reader.',
  replaced: 'Your account went on with this stream on another connection.',
  unauthorized: 'The API key is not valid any more.',
  rate_limited: 'The next hour of the stream is beyond the limit of your plan.',
  reset: 'The index is being rebuilt: connect again when it is ready.',
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

/** The reason of an aborted signal; null: nobody reads any more. */
export const endOf = (signal: AbortSignal): StreamEnd | null =>
  signal.reason instanceof StreamEnd ? signal.reason : null
