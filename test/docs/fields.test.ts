// docs/rest.md has a row for each number of src/fields that tokens of REST have, and for each of its filters.
// A chat service has two rows in docs/alerts.md.
// `npm run -s docs` writes missing rows.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHATS } from '../../src/fields/chat/chats.ts'
import { type ListCondition, toSnake } from '../../src/fields/field.ts'
import { CONDITION_ROWS, SHOWN_NUMBERS } from '../../src/fields/token.ts'
import { REST_WALLET, WALLET_CONDITION_ROWS, WALLET_FIELDS } from '../../src/fields/wallet.ts'
import { ROOT, sectionOf } from './pages.ts'

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')

const typeOf = (row: ListCondition): string => {
  if (row.is === 'since') return 'time'
  if (row.is === 'among') return row.values === 'texts' ? 'words' : 'addresses'
  if (row.is !== 'least' && row.is !== 'most') return row.is === 'yes' ? 'true or false' : 'words'
  const kind = row.whole ? 'integer' : 'number'
  if (row.max !== undefined) return `${kind}, ${row.min ?? 0}-${row.max}`
  return row.min === undefined ? kind : `${kind} >= ${row.min}`
}

interface Row {
  /** The text by which its section has it. */
  mark: string
  page: string
  section: string
  /** The row that it precedes. */
  before: string
  row: string
}

const WANTED: readonly Row[] = [
  ...SHOWN_NUMBERS.filter(([, { rest }]) => rest).map(([name, { type, unit, text }]) => ({
    mark: `| \`${toSnake(name)}\``,
    page: 'docs/rest.md',
    section: '### Token fields',
    before: '| `unknown` |',
    row: `| \`${toSnake(name)}\` | ${type === 'Int' ? 'integer' : 'number'}, ${unit} | ${lower(text)} |`,
  })),
  ...CONDITION_ROWS.filter(([, row]) => row.for === 'all').map(([name, row]) => ({
    mark: `| \`${toSnake(name)}\``,
    page: 'docs/rest.md',
    section: '### GET /v1/tokens',
    before: '| `addresses` |',
    row: `| \`${toSnake(name)}\` | ${typeOf(row)} | ${lower(row.text)} |`,
  })),
  ...CONDITION_ROWS.filter(([, row]) => row.for !== 'lists').map(([name, row]) => ({
    mark: `\`${toSnake(name)}\``,
    page: 'docs/rest.md',
    section: '### Alert fields',
    before: '| `notification_channel` | word |',
    row: `| \`conditions\` \`${toSnake(name)}\` | ${typeOf(row)} | ${lower(row.text)} |`,
  })),
  ...WALLET_CONDITION_ROWS.filter(([, row]) => row.for === 'all').map(([name, row]) => ({
    mark: `\`${toSnake(name).replace(/^(classification|kind)s$/, '$1')}\``,
    page: 'docs/rest.md',
    section: '### GET /v1/wallets',
    before: '| `after` |',
    row: `| \`${toSnake(name)}\` | ${typeOf(row)} | ${lower(row.text)} |`,
  })),
  ...REST_WALLET.map((name) => ({
    mark: `\`${toSnake(name)}\``,
    page: 'docs/rest.md',
    section: '### GET /v1/wallets',
    before: '\n`data`, `page` and `limit` are those of every list.',
    row: `| \`${toSnake(name)}\` | ${WALLET_FIELDS[name].form} | ${lower(String((WALLET_FIELDS[name] as { text?: string }).text))} |`,
  })),
  ...Object.entries(CHATS).flatMap(([channel, { name, rule, where, ends }]) => [
    {
      mark: `| \`${channel}\` |`,
      page: 'docs/alerts.md',
      section: '## Chats',
      before: '\n- These URLs are secrets.',
      row: `| \`${channel}\` | \`${rule.replace(/^.*?(?=https:)/, '')}\` | ${where} |`,
    },
    {
      mark: `| ${name} |`,
      page: 'docs/alerts.md',
      section: '## Chats',
      before: '\n## Webhooks of events',
      row: `| ${name} | ${[...new Set(ends)].map((end) => `\`${end}\``).join(', ')} |`,
    },
  ]),
]

test.each([...new Set(WANTED.map(({ page }) => page))])(
  '%s has a row for each of its fields, filters and chats',
  (page) => {
    const text = readFileSync(`${ROOT}/${page}`, 'utf8')
    const missing = WANTED.filter((row) => row.page === page && !sectionOf(text, row.section).includes(row.mark))
    const wanted = missing.reduce((whole, { section, before, row }) => {
      const start = whole.indexOf(`\n${section}\n`)
      const at = whole.indexOf(before, start)
      return `${whole.slice(0, at)}${row}\n${whole.slice(at)}`
    }, text)
    if (process.env.UPDATE_DOCS === '1') writeFileSync(`${ROOT}/${page}`, wanted)
    else expect(missing.map(({ mark }) => mark)).toEqual([])
  },
)
