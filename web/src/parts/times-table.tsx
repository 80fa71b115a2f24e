// The numbers of a chart as text: a row for each time, the newest first.

import { Known } from './known.tsx'
import { Scroll } from './scroll.tsx'
import { ShortTime } from './when.tsx'

/** The most rows. */
const MOST_ROWS = 48

interface TimesTableProps<Point> {
  /** A name of the numbers, for a screen reader. */
  label: string
  /** Ascending. */
  points: readonly Point[]
  timeOf(point: Point): string
  /** By the name of the column: its text. */
  columns: Readonly<Record<string, (point: Point) => string>>
}

export const TimesTable = <Point,>({ label, points, timeOf, columns }: TimesTableProps<Point>) => (
  <Scroll label={label} tall>
    <table>
      <thead>
        <tr>
          {['From', ...Object.keys(columns)].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points
          .slice(-MOST_ROWS)
          .reverse()
          .map((point) => (
            <tr key={timeOf(point)}>
              <th scope="row">
                <ShortTime iso={timeOf(point)} />
              </th>
              {Object.entries(columns).map(([name, toText]) => (
                <td key={name}>
                  <Known text={toText(point)} />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </Scroll>
)
