// Risk in a number and a word, and flags; colour is never the only sign.
import { score } from '../format.ts'
import { FLAGS } from '../words.ts'

interface RiskProps {
  riskScore: number
  riskLevel: string
  /** Whether there are reasons; without any the token was not scored yet. */
  isScored: boolean
}

export const Risk = ({ riskScore, riskLevel, isScored }: RiskProps) =>
  isScored ? (
    <span class={`risk ${riskLevel}`}>
      <b>{score(riskScore)}</b> {riskLevel}
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
