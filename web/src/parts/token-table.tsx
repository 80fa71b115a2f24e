// The table of tokens. A header that can order the list is a button. A narrow screen hides the least important columns,
// unless the reader chose columns: then the table scrolls sideways.
import type { ComponentChildren } from 'preact'
import { COLUMN_NAMES, type ColumnName } from '../kept/columns.ts'
import type { Order, OrderName } from '../order.ts'
import type { ListedToken } from '../pages/tokens-query.ts'
import type { WindowName } from '../time-windows.ts'
import { Foreign } from './address.tsx'
import { gainClass } from './change.tsx'
import { Lookalike, Risk } from './risk.tsx'
import { Scroll } from './scroll.tsx'
import { StarButton } from './star-button.tsx'
import { COLUMNS, type Column, titleOf } from './token-columns.tsx'
import { useGrowing } from './use-growing.ts'

/** On a phone. */
const ROWS_OF_A_SCREEN = 12
const ROWS_OF_A_STEP = 8

/** The youngest first is the latest creation first. */
const sortOf = ({ name, direction }: Order): 'ascending' | 'descending' =>
  (direction === 'asc') === (name !== 'age') ? 'ascending' : 'descending'

interface TokenTableProps {
  tokens: readonly ListedToken[]
  order: Order
  window: WindowName
  /** Null: those that suit the screen. */
  columns: readonly ColumnName[] | null
  onOrder(name: OrderName): void
}

interface Shown {
  name: ColumnName
  column: Column
  class: string
}

/** The column of the order is in sight on every screen; on a phone it takes the place of the age. */
function toShown(columns: readonly ColumnName[] | null, order: Order): Shown[] {
  const isHidden = COLUMN_NAMES.some((name) => COLUMNS[name].order === order.name && COLUMNS[name].screens !== 'all')
  const classOf = (name: ColumnName, { order: own, screens, isText }: Column): string => {
    const isKey = isHidden ? own === order.name : name === 'age'
    const place = isKey ? 'key' : name === 'price' ? 'first' : name === 'age' ? 'mid' : screens
    return [isText && 'text', columns === null && place].filter(Boolean).join(' ')
  }
  return (columns ?? COLUMN_NAMES)
    .map((name) => ({ name, column: COLUMNS[name], class: classOf(name, COLUMNS[name]) }))
    .filter(({ column }) => columns !== null || column.screens !== undefined)
}

export function TokenTable({ tokens, order, window, columns, onOrder }: TokenTableProps) {
  const length = useGrowing(tokens.length, ROWS_OF_A_SCREEN, ROWS_OF_A_STEP)
  const shown = toShown(columns, order)
  const head = { order, onOrder }
  return (
    <Scroll label="Tokens">
      <table class={columns === null ? 'tokens' : 'tokens chosen'}>
        <thead>
          <tr>
            <Head {...head} name="trending" class="text">
              Token{order.name === 'trending' && <span class="broad">, trending</span>}
            </Head>
            {shown.map(({ name, column, class: place }) => (
              <Head key={name} {...head} name={column.order} class={place}>
                {name === 'change' && <span class="hidden">Change of price in </span>}
                {titleOf(column, window)}
              </Head>
            ))}
            <Head {...head} name="risk" class="text risk-column">
              Risk
            </Head>
            <th scope="col" class="text why">
              and why
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.slice(0, length).map((token) => (
            <Row key={token.address} token={token} shown={shown} window={window} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

interface HeadProps {
  /** Its name as an order; undefined: it has none. */
  name: OrderName | undefined
  order: Order
  onOrder(name: OrderName): void
  class: string
  children: ComponentChildren
}

const Head = ({ name, order, onOrder, class: place, children }: HeadProps) => (
  <th scope="col" class={place} aria-sort={name === order.name ? sortOf(order) : undefined}>
    {name ? (
      <button type="button" class="sort" onClick={() => onOrder(name)}>
        {children}
      </button>
    ) : (
      children
    )}
  </th>
)

interface RowProps {
  token: ListedToken
  shown: readonly Shown[]
  window: WindowName
}

function Row({ token, shown, window }: RowProps) {
  const { verdict } = token
  const headline = verdict?.headline ?? 'Not scored yet.'
  const more = verdict?.findings.map(({ text }) => ` · ${text}`).join('') ?? ''
  return (
    <tr class={gainClass(verdict)}>
      <th scope="row" class="text">
        <StarButton address={token.address} symbol={token.symbol} />
        <a class="symbol" href={`/token/${token.address}`}>
          <Foreign text={token.symbol} most={14} />
        </a>{' '}
        <span class="faint name">
          <Foreign text={token.name} most={24} />
        </span>
      </th>
      {shown.map(({ name, column, class: place }) => (
        <td key={name} class={place}>
          {column.show(token, window)}
        </td>
      ))}
      <td class="text risk-column">
        <Risk {...token} />
      </td>
      <td class="text why" title={headline + more}>
        {token.lookalikeOf && <Lookalike of={token.lookalikeOf} />} {headline}
        <span class="more">{more}</span>
      </td>
    </tr>
  )
}
