// The checks of a token as plain lines under five questions. The verdict judges; an unknown answer is grey.
import { head } from '../api/live.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { tellLiquidity, tellPowers } from '../safety/control.tsx'
import type { Line } from '../safety/line.ts'
import { tellHolders, tellMaker } from '../safety/people.tsx'
import { tellSale } from '../safety/sale.ts'
import { Panel } from './panel.tsx'

interface ChecksPanelProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

export function ChecksPanel({ token, request }: ChecksPanelProps) {
  const answers: readonly [question: string, lines: Line[]][] = [
    ['Can it be sold?', tellSale(token.sellCheck, head.value)],
    ['Who can take the liquidity?', tellLiquidity(token)],
    ['What can the owner do?', tellPowers(token.powers, token.code?.unread ?? null)],
    ['Who made it?', tellMaker(token)],
    ['Who holds it?', tellHolders(token)],
  ]
  return (
    <Panel title="Checks" request={request}>
      <dl class="checks">
        {answers.map(([question, lines]) => (
          <div key={question}>
            <dt>{question}</dt>
            {lines.map(({ text, isUnknown }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an answer keep their order.
              <dd key={at} class={isUnknown && 'faint'}>
                {text}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Panel>
  )
}
