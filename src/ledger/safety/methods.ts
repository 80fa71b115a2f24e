// The methods by which the node lets contracts be checked. The indexer finds them, and every process shows them.
import type { pg } from '../../database/client.ts'
import type { SellMethod } from '../../safety/report.ts'
import type { CheckSetting } from '../first-check.ts'

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

/** Stores whether contracts are checked, so that every process can say why one is not. */
export async function saveCheckSetting(
  client: Pick<pg.ClientBase, 'query'>,
  { off, exempt }: CheckSetting,
): Promise<void> {
  await client.query({
    name: 'save check setting',
    text: 'UPDATE chain SET checks_off = $1, checks_exempt = $2 WHERE (checks_off, checks_exempt) IS DISTINCT FROM ($1, $2)',
    values: [off, exempt],
  })
}
