// What a folder of a history has, for a DuckDB of a test or a bench.
import { join } from 'node:path'
import type { Segment } from '../../src/history/history.ts'
import { HASHES, partPaths, readManifest } from '../../src/history/parquet/manifest.ts'
import type { Order } from '../../src/history/parquet/orders.ts'
import { readParquet } from '../../src/history/parquet/relation.ts'

/** What follows FROM: an order of these segments, in its order in each of them, or the hashes by the first running number. */
export async function relationOf(
  folder: string,
  segments: readonly Pick<Segment, 'name'>[],
  of: Order | 'hashes',
): Promise<string> {
  const lists = segments.map(async ({ name }) => {
    if (of === 'hashes') return [join(folder, name, HASHES)]
    const { parts } = await readManifest(join(folder, name))
    return partPaths(join(folder, name), of, parts[of])
  })
  return readParquet((await Promise.all(lists)).flat())
}
