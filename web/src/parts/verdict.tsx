// The verdict on a token as the server wrote it: its level, its headline, its findings and what nobody knows. The page
// adds no judgement, and takes each colour from the level or from the kind of a finding.
import type { ComponentChildren } from 'preact'
import { pickMain } from '../../../src/verdict/settle.ts'
import { points } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AlertOnToken } from './alert-on.tsx'
import { CheckNow } from './check-now.tsx'
import { Disclosure } from './disclosure.tsx'
import { Risk } from './risk.tsx'
import { When } from './when.tsx'

type Judged = NonNullable<TokenData['verdict']>
type Finding = Judged['findings'][number]
type Named = Pick<Finding, 'kind' | 'name' | 'text' | 'points'>

/** Colour is never the only sign. */
const SIGNS: Readonly<Record<Finding['kind'], string>> = {
  danger: 'Danger: ',
  caution: 'Caution: ',
  comfort: 'In favour: ',
  fact: '',
}

export const NOT_SCORED = 'Not scored yet: its risk is unknown. The score comes a few seconds after the first trade.'

/** What a reader needs before anything else. */
export function VerdictHead({ token }: { token: TokenData }) {
  const { verdict, riskScore } = token
  return (
    <section class={`verdict verdict-${verdict?.level ?? 'none'}`} aria-label="Verdict">
      <p class="headline">
        <Risk riskScore={riskScore} verdict={verdict} />{' '}
        <strong>
          <Unbroken text={verdict?.headline ?? NOT_SCORED} />
        </strong>
      </p>
      {verdict && <MainFindings verdict={verdict} />}
      {verdict?.alike && (
        <small class="alike">
          <Unbroken text={verdict.alike.text} />.
        </small>
      )}
      <p class="row actions">
        <AlertOnToken token={token} />
        <CheckNow token={token} />
      </p>
    </section>
  )
}

/** The few findings that matter most. */
export const MainFindings = ({ verdict }: { verdict: { findings: readonly Named[] } }) => (
  <ul class="findings" aria-label="Main findings">
    {pickMain(verdict.findings).map((finding) => (
      <li key={finding.name} class={`finding-${finding.kind}`}>
        <Text {...finding} />
      </li>
    ))}
  </ul>
)

const Text = ({ kind, text }: Named) => (
  <>
    {SIGNS[kind] && <span class="hidden">{SIGNS[kind]}</span>}
    <Unbroken text={text} />
  </>
)

/** No line ends between a number and its sign. What a reader copies stays as the server wrote it. */
export const Unbroken = ({ text }: { text: string }) =>
  text.split(/(\d+ %)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places.
      <span key={at} class="unbroken">
        {part}
      </span>
    ),
  )

interface AllFindingsProps {
  verdict: Judged
  /** The score of a token without any known fact; null: not published. */
  base: ComponentChildren
  total: ComponentChildren
}

/** Every finding in the order of the verdict, as the sum that makes the score. */
export const AllFindings = ({ verdict, base, total }: AllFindingsProps) => (
  <>
    <ul class="findings reasons" aria-label="The score as a sum">
      {base}
      {verdict.findings.map((finding) => (
        <li key={`${finding.name} ${finding.text}`} class={`finding-${finding.kind}`}>
          <span class="number">{points(finding.points)}</span> <Text {...finding} />
          <Evidence {...finding} />
        </li>
      ))}
      {total}
    </ul>
    {verdict.unknown.length > 0 && (
      <ul class="findings" aria-label="What nobody knows">
        {verdict.unknown.map(({ text }) => (
          <li key={text} class="finding-unknown">
            <span class="hidden">Unknown: </span>
            {text}
          </li>
        ))}
      </ul>
    )}
  </>
)

/** When a check saw it, and the call by which a reader sees it, too. */
function Evidence({ since, evidence }: Finding) {
  if (since === null) return null
  return (
    <small>
      {' '}
      <When iso={since} />
      {evidence && (
        <Disclosure summary="Check it yourself" class="as-table">
          {/* A reader with a keyboard scrolls it, too. */}
          <pre tabIndex={0}>{`{"jsonrpc":"2.0","id":1,"method":"${evidence.method}","params":${evidence.params}}`}</pre>
        </Disclosure>
      )}
    </small>
  )
}
