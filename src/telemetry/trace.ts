// Spans: finished pieces of work, as traces show them. They have no keys, bodies, query strings or addresses.

/** The caller's place in its trace, by W3C Trace Context. */
export interface TraceParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

export interface WorkSpan {
  name: string
  kind: 'server' | 'internal'
  /** Milliseconds since 1970. */
  startedMs: number
  endedMs: number
  attributes: Readonly<Record<string, string | number>>
  /** Null: the span begins a trace. */
  parent: TraceParent | null
  isFailed: boolean
}

export type NoteSpan = (span: WorkSpan) => void

/** A span of work of our own that ended now and took `tookMs`. */
export const ownSpan = (
  name: string,
  { now, tookMs }: { now: Date; tookMs: number },
  attributes: WorkSpan['attributes'] = {},
): WorkSpan => ({
  ...{ name, kind: 'internal', startedMs: now.getTime() - tookMs, endedMs: now.getTime() },
  ...{ attributes, parent: null, isFailed: false },
})

/** Version, trace, parent and flags. A trace or parent of zeros is none. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Null for a header that is missing or malformed. */
export function parseTraceParent(header: unknown): TraceParent | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(header ?? '')) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
