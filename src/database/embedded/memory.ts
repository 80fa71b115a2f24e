// How much of the machine the embedded server may take for pages that it keeps. In: bytes of memory. Out: its settings.
import { totalmem } from 'node:os'

const MB = 2 ** 20
/** Pages kept by the server itself; what it does not find there it copies from the system's cache, at several times the price. */
const SHARE = 1 / 4
const LEAST_MB = 128
const MOST_MB = 4_096

/** Settings for a machine of so many bytes, by PostgreSQL's names: a quarter for shared buffers, 128 MB to 4 GB. */
export function sizeMemory(bytes: number): { shared_buffers: string; effective_cache_size: string } {
  const total = bytes / MB
  const shared = Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(total * SHARE)))
  return { shared_buffers: `${shared}MB`, effective_cache_size: `${Math.max(LEAST_MB, Math.floor(total / 2))}MB` }
}

/** Bytes that this process may count on: the container's limit, where there is one below the machine's. */
export function readMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
