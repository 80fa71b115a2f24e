// The dangers for the holders of a token: five questions, answered first. A danger is red, an unknown answer grey, a
// harmless one plain.
import { head } from '../api/live.ts'
import { whole } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { tellLiquidity, tellPowers } from '../safety/control.tsx'
import { caution, danger, dangersFirst, gravestOf, type Line, type Tone } from '../safety/line.ts'
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

/** What insiders did or can do; these findings answer the question about the owner. */
const OF_OWNER = ['taken_without_approval', 'late_mint', 'spends_without_allowance']
const OF_HOLDERS = ['balances_gone']

type Finding = TokenData['contractFindings'][number]

const tellFindings = (findings: readonly Finding[], isAsked: (name: string) => boolean): Line[] =>
  findings
    .filter(({ name }) => isAsked(name))
    .map(({ text, riskAtLeast }) =>
      (riskAtLeast > 0 ? danger : caution)(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
    )

interface SafetyPanelProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

const isOfSale = (name: string): boolean => ![...SAID, ...OF_OWNER, ...OF_HOLDERS].includes(name)

/** "No power was found" would contradict a finding about an insider. */
function tellOwner({ powers, code, contractFindings }: TokenData): Line[] {
  const found = tellFindings(contractFindings, (name) => OF_OWNER.includes(name))
  return found.length > 0 && powers?.length === 0 ? found : [...found, ...tellPowers(powers, code?.unread ?? null)]
}

export function SafetyPanel({ token, request }: SafetyPanelProps) {
  const { sellCheck, contractFindings: findings } = token
  const answers: readonly [question: string, lines: Line[]][] = [
    ['Can it be sold?', [...tellSale(sellCheck, head.value), ...tellFindings(findings, isOfSale)]],
    ['Who can take the liquidity?', tellLiquidity(token)],
    ['What can the owner do?', tellOwner(token)],
    ['Who made it?', tellMaker(token)],
    ['Who holds it?', [...tellFindings(findings, (name) => OF_HOLDERS.includes(name)), ...tellHolders(token)]],
  ]
  const tones = answers.flatMap(([, lines]) => lines.map(({ tone }) => tone))
  return (
    <section class="safety" aria-labelledby="safety-title">
      <div class="row">
        <h2 id="safety-title">Who can hurt you</h2>
        <Verdict tones={tones} />
        <RequestButton title="Who can hurt you" {...request} />
      </div>
      <dl>
        {answers.map(([question, lines]) => (
          <div key={question} class={`answer answer-${gravestOf(lines)}`}>
            <dt>{question}</dt>
            {dangersFirst(lines).map(({ tone, text }, at) => (
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

const countOf = (tones: readonly Tone[], tone: Tone, one: string, many: string): string[] => {
  const count = tones.filter((each) => each === tone).length
  return count === 0 ? [] : [`${whole(count)} ${count === 1 ? one : many}`]
}

/** The answers in a line. Where no danger was found, that is no promise: it is never green. */
function Verdict({ tones }: { tones: readonly Tone[] }) {
  const dangers = countOf(tones, 'danger', 'danger', 'dangers')
  const rest = [...countOf(tones, 'caution', 'caution', 'cautions'), ...countOf(tones, 'unknown', 'unknown', 'unknown')]
  return (
    <p class={`verdict ${dangers.length > 0 ? 'tone-danger' : 'faint'}`}>
      {[...(dangers.length > 0 ? dangers : ['No danger found']), ...rest].join(', ')}
    </p>
  )
}

/** Colour is never the only sign. */
const WORDS: Readonly<Partial<Record<Tone, string>>> = { danger: 'Danger:', caution: 'Caution:', good: 'Good:' }
