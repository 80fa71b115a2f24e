// What this installation said of tokens, and what became of them.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { duration, percent, whole } from '../format.ts'
import { Panel } from './panel.tsx'
import { Scroll } from './scroll.tsx'
import { Empty, Loaded } from './state.tsx'
import { Day } from './when.tsx'

const ACCURACY = graphql(`
query Accuracy {
  accuracy {
    judgedUntil
    moves
    cells {
      horizonDays ageHours level tokenCount pulledCount leastShare mostShare proven pricedCount lostCount
      sellableCount unsellableCount moved expected { leastShare mostShare }
    }
  }
}`)

type Cell = ResultOf<typeof ACCURACY>['accuracy']['cells'][number]

export function TrackRecord() {
  const answer = useQuery(ACCURACY, {})
  return (
    <Panel title="What it said, and what came" request={{ document: ACCURACY, variables: {} }}>
      <Loaded query={answer} what="the track record">
        {({ accuracy: { judgedUntil, moves, cells } }) =>
          judgedUntil === null || cells.length === 0 ? (
            <Empty>No level was said a week ago or earlier, so none is judged yet.</Empty>
          ) : (
            <>
              {moves.map((sentence) => (
                <p key={sentence} class="bad">
                  The market has moved away from the levels. {sentence}.
                </p>
              ))}
              <Cells cells={cells} />
              <p class="faint foot">
                Of tokens whose time was over in twelve weeks, up to <Day iso={judgedUntil} />. The range has the true
                share with a certainty of 95 %. A range of more than 15 points proves nothing.
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Cells({ cells }: { cells: readonly Cell[] }) {
  const isCompared = cells.some(({ expected }) => expected !== null)
  return (
    <Scroll label="Track record">
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              Said at
            </th>
            <th scope="col" class="text">
              Level
            </th>
            <th scope="col">After</th>
            <th scope="col">Tokens</th>
            <th scope="col">Pulled</th>
            <th scope="col">True share</th>
            {isCompared && <th scope="col">The exam had</th>}
            <th scope="col">Lost 90{'\u00a0'}%</th>
            <th scope="col">Became unsellable</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <Row key={`${cell.horizonDays} ${cell.ageHours} ${cell.level}`} cell={cell} isCompared={isCompared} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const range = ({ leastShare, mostShare }: Pick<Cell, 'leastShare' | 'mostShare'>): string =>
  `${whole(Math.floor(100 * leastShare))} to ${percent(Math.ceil(100 * mostShare))}`

/** Of none there is no share. */
const among = (hits: number, of: number): string => (of === 0 ? 'none known' : `${whole(hits)} of ${whole(of)}`)

const Row = ({ cell, isCompared }: { cell: Cell; isCompared: boolean }) => (
  <tr>
    <td class="text">
      {whole(cell.ageHours)}
      {'\u00a0'}h old
    </td>
    <td class="text">{cell.level}</td>
    <td>{duration(cell.horizonDays * 86_400, 'long')}</td>
    <td>{whole(cell.tokenCount)}</td>
    <td>{whole(cell.pulledCount)}</td>
    <td class={cell.moved ? 'bad' : ''}>
      {range(cell)} {!cell.proven && <small>unproven</small>}
    </td>
    {isCompared && <td>{cell.expected ? range(cell.expected) : <span class="faint">not judged</span>}</td>}
    <td>{among(cell.lostCount, cell.pricedCount)}</td>
    <td>{among(cell.unsellableCount, cell.sellableCount)}</td>
  </tr>
)
