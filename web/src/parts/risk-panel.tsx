// The reasons of the risk: all of them, dangers first, then every dimension, which opens to its measured inputs.

import { points, score } from '../format.ts'
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
          <ul class="reasons">
            {explanation.reasons.map((reason) => (
              <li key={reason.text} class={KIND_TONES[reason.kind]}>
                <span class="number">{points(reason.points)}</span> {reason.text}
              </li>
            ))}
          </ul>
          <p class="faint">
            Confidence {confidence}
            {explanation.confidenceReasons.length > 0 &&
              `: ${explanation.confidenceReasons.map(confidenceReason).join('; ')}`}
            .
            {explanation.pullChance30dPct !== null &&
              ` Of tokens like it, about ${score(explanation.pullChance30dPct)} % were pulled within 30 days.`}
          </p>
          <Dimensions explanation={explanation} best={0} />
        </>
      )}
    </Panel>
  )
}

interface Explained {
  contributions: readonly { name: string; value: number | null; contribution: number }[]
  dimensions: readonly {
    name: string
    value: number
    inputs: readonly { name: string; value: number | null; points: number }[]
  }[]
}

/** Whether the dimension takes points away: its high end is the bad one, in a risk and in a reputation. */
const isPenalty = ({ contributions }: Explained, name: string): boolean =>
  contributions.some((one) => one.name === name && one.contribution < 0)

/** The dimensions, each with its inputs behind a click. `best`: which end of 0 to 100 is good. */
export const Dimensions = ({ explanation, best }: { explanation: Explained; best: 0 | 100 }) => (
  <div class="dimensions">
    {explanation.dimensions.map(({ name, value, inputs }) => (
      <Disclosure
        key={name}
        summary={
          <>
            <span>{dimension(name)}</span>
            <meter
              min={0}
              low={34}
              high={67}
              max={100}
              optimum={isPenalty(explanation, name) ? 0 : best}
              value={value}
              aria-label={dimension(name)}
            />
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
