// All findings of the verdict with their points, dangers first, then every dimension, which opens to its measured inputs.

import { NOT_JUDGED } from '../../../src/verdict/finding.ts'
import { hundredths, score } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { dimension, inputName, inputValue, tellConfidence } from '../words.ts'
import { Disclosure } from './disclosure.tsx'
import { Panel } from './panel.tsx'
import { Risk } from './risk.tsx'
import { AllFindings, NOT_SCORED } from './verdict.tsx'

interface RiskPanelProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

export function RiskPanel({ token, request }: RiskPanelProps) {
  const { verdict, riskScore } = token
  const { explanation } = token.score
  return (
    <Panel title="Risk" request={request} aside={<Risk riskScore={riskScore} verdict={verdict} />}>
      {explanation === null || verdict === null ? (
        <p class="note">{NOT_SCORED}</p>
      ) : verdict.headline === NOT_JUDGED ? (
        <p class="note">{NOT_JUDGED}</p>
      ) : (
        <>
          <AllFindings
            verdict={verdict}
            base={explanation.base !== null && <Base points={explanation.base} />}
            total={<Total points={explanation.score} />}
          />
          <p class="faint">{tellConfidence(verdict.confidence, explanation.confidenceReasons)}</p>
          <p class="faint">Its parts, 100 the worst. A part weighs many facts: one grave fact may leave it low.</p>
          <Dimensions explanation={explanation} />
        </>
      )}
    </Panel>
  )
}

const Base = ({ points }: { points: number }) => (
  <li class="faint">
    <span class="number">{hundredths(points)}</span> Base: a token of which nothing is known
  </li>
)

const Total = ({ points }: { points: number }) => (
  <li class="total">
    <span class="number">{hundredths(points)}</span> Score: the base and all points
  </li>
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
