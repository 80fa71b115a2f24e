// docs/exchanges.md has a row for each exchange, and names the events whose topic nothing confirms. Both follow from the
// declarations in src/chain/exchanges. `npm run -s docs` writes them.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { About, Exchange } from '../../src/chain/exchanges/exchange.ts'
import { EXCHANGES, VENUES } from '../../src/chain/exchanges/venues.ts'
import { EVENT_LIST } from '../../src/chain/logs/events.ts'
import { PUBLIC, RECORDED } from '../chain/exchanges/signatures.ts'
import { holdPage, ROOT, sectionOf } from './pages.ts'

const PAGE = 'docs/exchanges.md'

/** The usual reserves, price and owner of an exchange's pools. */
function usual({ pools, manager, reserves }: Exchange): Required<Pick<About, 'held' | 'price' | 'owner'>> {
  if (pools?.pool === 'v2') return { held: '`Sync`', price: 'reserves', owner: 'holders of shares' }
  const ranges = { price: '`sqrtPriceX96`', owner: 'holder of the position token' }
  if (pools) return { held: 'pool balances', ...ranges }
  if (manager?.hasRanges) return { held: 'computed', ...ranges }
  if (reserves === 'unknown') return { held: 'unknown', price: 'none', owner: 'no event' }
  return { held: reserves === 'counted' ? 'sum of logs' : 'pool balances', price: 'last trade', owner: 'no event' }
}

function rowOf(kind: string, exchange: Exchange): string[] {
  if (!exchange.about) return []
  const { name, preset, found, held, price, owner, seen = '-' } = { ...usual(exchange), ...exchange.about }
  return [
    `| ${name} | \`${kind}\`${preset ? ` (${preset})` : ''} | ${found} | ${held} | ${price} | ${owner} | ${seen} |`,
  ]
}

/** The lines of the first table after a text of the page, below its two lines of head, replaced by others. */
function withRows(text: string, before: string, rows: readonly string[]): string {
  const table = text.indexOf('|---|', text.indexOf(before))
  const start = text.indexOf('\n', table) + 1
  return `${text.slice(0, start)}${rows.join('\n')}\n${text.slice(text.indexOf('\n\n', start) + 1)}`
}

function unconfirmed(): string[] {
  const known = new Set([...RECORDED, ...Object.keys(PUBLIC)])
  const families = new Map<string, string[]>()
  for (const { name } of EVENT_LIST) {
    if (known.has(name)) continue
    const [family = name] = name.split('_')
    families.set(family, [...(families.get(family) ?? []), `\`${name}\``])
  }
  return [...families.values()].map((names) => `| ${names.join(', ')} |`)
}

test('docs/exchanges.md has the row of each exchange, and each event whose topic nothing confirms', () => {
  const text = readFileSync(`${ROOT}/${PAGE}`, 'utf8')
  const rows = VENUES.flatMap((kind) => rowOf(kind, EXCHANGES[kind]))
  expect(rows.length).toBeGreaterThan(20)
  const tables = withRows(text, '\n## What is read\n', rows)
  holdPage(PAGE, withRows(tables, '\n## Signatures without a recorded log\n', unconfirmed()))
})

test('an exchange without a row is a launch venue of the table of launch venues', () => {
  const venues = sectionOf(readFileSync(`${ROOT}/${PAGE}`, 'utf8'), '### Launch venues')
  expect(VENUES.filter((kind) => !EXCHANGES[kind].about && !venues.includes(`\`${kind}\``))).toEqual([])
})
