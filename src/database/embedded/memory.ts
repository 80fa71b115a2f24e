// How much of the machine's memory the embedded server may use for caching. Takes bytes of memory; returns settings.
import { totalmem } from 'node:os'

const MB = 2 ** 20
/**
 * Share of the memory for PostgreSQL's own cache. A page outside it is copied from the operating system's cache, which
 * takes several times as long.
 */
const SHARE = 1 / 4
const LEAST_MB = 128
const MOST_MB = 4_096

/** The memory settings by PostgreSQL's names; shared buffers get a quarter of the memory, between 128 MB and 4 GB. */
export function sizeMemory(bytes: number): { shared_buffers: string; effective_cache_size: string } {
  const total = bytes / MB
  const shared = Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(total * SHARE)))
  return { shared_buffers: `${shared}MB`, effective_cache_size: `${Math.max(LEAST_MB, Math.floor(total / 2))}MB` }
}

/** The memory available to this process in bytes: the container's limit, or the machine's memory if that is less. */
export function readMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
