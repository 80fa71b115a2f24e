// The dangers for the holders of a token: five questions, answered first. A danger is red, an unknown answer grey, a
// harmless one plain.
import { head } from '../api/live.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { tellLiquidity, tellPowers } from '../safety/control.tsx'
import { caution, danger, type Line, type Tone } from '../safety/line.ts'
import { tellHolders, tellMaker } from '../safety/people.tsx'
import { tellSale } from '../safety/sale.ts'
import { RequestButton } from './request-button.tsx'

/** Findings that the lines of the sale and of the powers already have. */
const SAID = [
  'cannot_sell',
  'nobody_can_buy',
  'extreme_tax',
  'high_tax',
  'hidden_power',
  'confiscating_power',
  'open_power',
]

const tellFindings = (findings: TokenData['contractFindings']): Line[] =>
  findings
    .filter(({ name }) => !SAID.includes(name))
    .map(({ text, riskAtLeast }) =>
      (riskAtLeast > 0 ? danger : caution)(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
    )

interface SafetyPanelProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

export function SafetyPanel({ token, request }: SafetyPanelProps) {
  const answers: readonly [question: string, lines: Line[]][] = [
    ['Can it be sold?', [...tellSale(token.sellCheck, head.value), ...tellFindings(token.contractFindings)]],
    ['Who can take the liquidity?', tellLiquidity(token)],
    ['What can the owner do?', tellPowers(token.powers)],
    ['Who made it?', tellMaker(token)],
    ['Who holds it?', tellHolders(token)],
  ]
  return (
    <section class="safety" aria-labelledby="safety-title">
      <div class="row">
        <h2 id="safety-title">Who can hurt you</h2>
        <RequestButton title="Who can hurt you" {...request} />
      </div>
      <dl>
        {answers.map(([question, lines]) => (
          <div key={question}>
            <dt>{question}</dt>
            {lines.map(({ tone, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an answer keep their order.
              <dd key={at} class={`tone-${tone}`}>
                {WORDS[tone] && <span class="hidden">{WORDS[tone]} </span>}
                {text}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Colour is never the only sign. */
const WORDS: Readonly<Partial<Record<Tone, string>>> = { danger: 'Danger:', caution: 'Caution:', good: 'Good:' }
