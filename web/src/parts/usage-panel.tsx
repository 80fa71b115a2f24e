// The usage of an account: requests by day with bars, and by route over the same days.
import { whole } from '../format.ts'
import { Panel } from './panel.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { type Line, sumRoutes, type UsageDay } from './sum-routes.ts'

export function UsagePanel({ usage }: { usage: readonly UsageDay[] }) {
  const days = usage.map(({ date, requests }) => ({ name: date, requests }))
  return (
    <Panel title="Usage">
      {usage.length === 0 ? (
        <Empty>No request was counted in the past 14 days.</Empty>
      ) : (
        <>
          <Bars label="Requests by day" head="UTC day" lines={days} />
          <Bars label="Requests by route" head="Route" lines={sumRoutes(usage)} />
        </>
      )}
    </Panel>
  )
}

function Bars({ label, head, lines }: { label: string; head: string; lines: readonly Line[] }) {
  const most = Math.max(1, ...lines.map(({ requests }) => requests))
  return (
    <Scroll label={label}>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col" class="text">
              {head}
            </th>
            <th scope="col">Requests</th>
            <th scope="col" class="text">
              <span class="hidden">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, requests }) => (
            <tr key={name}>
              <th scope="row" class="text wrap">
                {name}
              </th>
              <td>{whole(requests)}</td>
              <td class="text" aria-hidden="true">
                <meter min={0} max={most} value={requests} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
