// What happened in windows of time that end now: the change of the price, the volume, who bought and who sold.
import { count, dollars } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { WINDOW_NAMES, WINDOWS } from '../time-windows.ts'
import { Change, gainClass } from './change.tsx'
import { Known } from './known.tsx'
import { Scroll } from './scroll.tsx'

type Window = TokenData['windows']['m5']

const ROWS: Readonly<Record<string, (window: Window) => string>> = {
  Volume: ({ volumeUsd }) => dollars(volumeUsd),
  Buys: ({ buyCount }) => count(buyCount),
  Sells: ({ sellCount }) => count(sellCount),
  Traders: ({ traderCount }) => count(traderCount),
}

export function WindowTable({ token }: { token: TokenData }) {
  const { priceChange, windows } = token
  const isUncounted = WINDOW_NAMES.some((field) => windows[field].traderCount === null)
  return (
    <>
      <Scroll label="windows">
        <table class="windows">
          <thead>
            <tr>
              <th scope="col" class="text">
                <span class="hidden">Measured</span>
              </th>
              {WINDOW_NAMES.map((field) => (
                <th key={field} scope="col">
                  {WINDOWS[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class={gainClass(token.verdict)}>
              <th scope="row" class="text">
                Price
              </th>
              {WINDOW_NAMES.map((field) => (
                <td key={field}>
                  <Change pct={priceChange[field]} />
                </td>
              ))}
            </tr>
            {Object.entries(ROWS).map(([name, toText]) => (
              <tr key={name}>
                <th scope="row" class="text">
                  {name}
                </th>
                {WINDOW_NAMES.map((field) => (
                  <td key={field}>
                    <Known text={toText(windows[field])} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {isUncounted && <p class="faint foot">Traders are not counted above 2,000 swaps.</p>}
    </>
  )
}
