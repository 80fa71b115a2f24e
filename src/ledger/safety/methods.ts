// By which methods the node lets contracts be checked. The indexer finds it out, and every process tells it.
import type { pg } from '../../database/client.ts'
import type { SellMethod } from '../../safety/report.ts'

/** Best first; empty: contracts are not checked, or the node was not asked yet. */
export async function saveCheckMethods(
  client: Pick<pg.ClientBase, 'query'>,
  methods: readonly SellMethod[],
): Promise<void> {
  await client.query({
    name: 'save check methods',
    text: 'UPDATE chain SET check_methods = $1 WHERE check_methods <> $1',
    values: [methods],
  })
}
