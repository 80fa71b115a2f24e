// The reasons of the risk: all of them, dangers first, then every dimension, which opens to its measured inputs.

import { hundredths, percent, points, score } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { confidenceReason, dimension, inputName, inputValue } from '../words.ts'
import { Disclosure } from './disclosure.tsx'
import { Panel } from './panel.tsx'
import { Risk } from './risk.tsx'

/** A danger is never green, whatever its points. */
const KIND_TONES: Readonly<Record<string, string>> = { danger: 'bad', caution: 'care', comfort: 'up' }

interface RiskPanelProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

export function RiskPanel({ token, request }: RiskPanelProps) {
  const { explanation, confidence } = token.score
  return (
    <Panel
      title="Risk"
      request={request}
      aside={<Risk riskScore={token.riskScore} riskLevel={token.riskLevel} isScored={explanation !== null} />}
    >
      {explanation === null ? (
        <p class="note">
          Not scored yet: the score comes a few seconds after the first trade. Until then the risk is unknown.
        </p>
      ) : (
        <>
          <Sum base={explanation.base} reasons={explanation.reasons} total={explanation.score} />
          <p class="faint">
            Confidence {confidence}
            {explanation.confidenceReasons.length > 0 &&
              `: ${explanation.confidenceReasons.map(confidenceReason).join('; ')}`}
            .{tellChance(explanation)}
          </p>
          <p class="faint">Its parts, 100 the worst. A part weighs many facts: one grave fact may leave it low.</p>
          <Dimensions explanation={explanation} />
        </>
      )}
    </Panel>
  )
}

/** The chance of a pull, where no reason says it. */
function tellChance({ pullChance30dPct, reasons }: NonNullable<TokenData['score']['explanation']>): string {
  if (pullChance30dPct === null || reasons.some(({ text }) => text.endsWith(PULLED))) return ''
  return ` About ${percent(pullChance30dPct)} of ${PULLED}.`
}

const PULLED = 'tokens like it were pulled within 30 days'

interface SumProps {
  /** The score of a token without any known fact; null: not published. */
  base: number | null
  reasons: NonNullable<TokenData['score']['explanation']>['reasons']
  total: number
}

/** The score as a sum: where it begins, every point, and the result. */
const Sum = ({ base, reasons, total }: SumProps) => (
  <ul class="reasons" aria-label="The score as a sum">
    {base !== null && (
      <li class="faint">
        <span class="number">{hundredths(base)}</span> Base: a token of which nothing is known
      </li>
    )}
    {reasons.map((reason) => (
      <li key={reason.text} class={KIND_TONES[reason.kind]}>
        <span class="number">{points(reason.points)}</span> {reason.text}
      </li>
    ))}
    <li class="total">
      <span class="number">{hundredths(total)}</span> Score: the base and all points
    </li>
  </ul>
)

interface Explained {
  dimensions: readonly {
    name: string
    value: number
    inputs: readonly { name: string; value: number | null; points: number }[]
  }[]
}

/** The dimensions, each with its inputs behind a click. Bars have no verdict: only the score has one. */
export const Dimensions = ({ explanation }: { explanation: Explained }) => (
  <div class="dimensions">
    {explanation.dimensions.map(({ name, value, inputs }) => (
      <Disclosure
        key={name}
        summary={
          <>
            <span>{dimension(name)}</span>
            <meter min={0} max={100} value={value} aria-label={dimension(name)} />
            <span class="number">{score(value)}</span>
          </>
        }
      >
        <Inputs inputs={inputs} />
      </Disclosure>
    ))}
  </div>
)

const Inputs = ({ inputs }: { inputs: Explained['dimensions'][number]['inputs'] }) =>
  inputs.length === 0 ? (
    <p class="faint">Nothing was measured.</p>
  ) : (
    <table>
      <thead>
        <tr>
          <th scope="col" class="text">
            Measured
          </th>
          <th scope="col">Value</th>
          <th scope="col">Points of 100</th>
        </tr>
      </thead>
      <tbody>
        {inputs.map((input) => (
          <tr key={input.name}>
            <th scope="row" class="text">
              {inputName(input.name)}
            </th>
            <td>{inputValue(input.name, input.value)}</td>
            <td>{score(input.points)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
