// The level of a risk in a number and a word, and the mark of a lookalike. Colour is never the only sign.
import { NOT_JUDGED } from '../../../src/verdict/finding.ts'
import { risk } from '../format.ts'
import { Foreign } from './address.tsx'

interface RiskProps {
  riskScore: number
  /** Null: the token was not scored yet. */
  verdict: { level: string; headline?: string } | null
}

/** Money of the chain has no level: its low number would look like a judgement. */
export function Risk({ riskScore, verdict }: RiskProps) {
  if (verdict === null) return <span class="risk none">unknown</span>
  if (verdict.headline === NOT_JUDGED) return <span class="risk none">not judged</span>
  return (
    <span class={`risk ${verdict.level}`}>
      <b>{risk(riskScore)}</b> {verdict.level}
    </span>
  )
}

/** The mark of a token whose symbol looks like that of a larger one. */
export const Lookalike = ({ of }: { of: { address: string; symbol: string } }) => (
  <span class="flag" title={`A token with more liquidity has the same or a similar symbol: ${of.address}`}>
    Looks like <Foreign text={of.symbol} most={10} />
  </span>
)
