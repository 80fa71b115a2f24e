// Risk in a number and a word, and flags; colour is never the only sign.
import { risk } from '../format.ts'
import { FLAGS } from '../words.ts'
import { Foreign } from './address.tsx'

interface RiskProps {
  riskScore: number
  riskLevel: string
  /** Whether there are reasons; without any the token was not scored yet. */
  isScored: boolean
}

export const Risk = ({ riskScore, riskLevel, isScored }: RiskProps) =>
  isScored ? (
    <span class={`risk ${riskLevel}`}>
      <b>{risk(riskScore)}</b> {riskLevel}
    </span>
  ) : (
    <span class="risk none">unknown</span>
  )

export const Flags = ({ flags }: { flags: readonly string[] }) =>
  flags.length === 0 ? null : (
    <span class="flags">
      {flags.map((flag) => (
        <span key={flag} class="flag" title={FLAGS[flag]?.long ?? flag}>
          {FLAGS[flag]?.short ?? flag}
        </span>
      ))}
    </span>
  )

/** The mark of a token whose symbol looks like that of a larger one. */
export const Lookalike = ({ of }: { of: { address: string; symbol: string } }) => (
  <span class="flag" title={`A token with more liquidity has the same or a similar symbol: ${of.address}`}>
    Looks like <Foreign text={of.symbol} most={10} />
  </span>
)
