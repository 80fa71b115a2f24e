// A wallet's reputation, its parts, and the reasons why it is not higher.
import { score } from '../format.ts'
import type { WalletData } from '../pages/wallet-query.ts'
import { dimension, tellConfidence } from '../words.ts'
import { Panel } from './panel.tsx'
import { Dimensions } from './risk-panel.tsx'

interface ReputationPanelProps {
  wallet: WalletData
  request: { document: string; variables: unknown }
}

export function ReputationPanel({ wallet, request }: ReputationPanelProps) {
  const { explanation, confidence } = wallet.score
  return (
    <Panel
      title="Reputation"
      request={request}
      aside={
        explanation && (
          <span>
            <b>{score(wallet.reputationScore)}</b> of 100
          </span>
        )
      }
    >
      {explanation === null ? (
        <p class="note">Not scored: it is no wallet, or it has not traded. Its reputation is unknown.</p>
      ) : (
        <>
          <h3 class="sub">Why not more</h3>
          <ul class="reasons">
            {whyNotMore(explanation).map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <p class="faint">{tellConfidence(confidence, explanation.confidenceReasons)}</p>
          <Dimensions explanation={explanation} />
        </>
      )}
    </Panel>
  )
}

/** The dimensions that miss points, the largest loss first. */
function whyNotMore(explanation: NonNullable<WalletData['score']['explanation']>): string[] {
  const { contributions } = explanation
  const missing = contributions
    .map(({ name, value, contribution }) => {
      if (contribution < 0) return { name, value, lost: -contribution }
      const reached = value === null || value <= 0 ? null : value
      const most = reached === null ? null : (contribution / reached) * 100
      return { name, value, lost: most === null ? null : most - contribution }
    })
    .filter(({ lost }) => lost === null || lost >= 1)
    .sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0))
    .slice(0, 3)
    .map(({ name, value, lost }) =>
      lost === null
        ? `${dimension(name)}: ${value === null ? 'unknown' : 'none reached'}`
        : `${dimension(name)} ${score(value)} of 100 costs ${score(lost)} points`,
    )
  return missing.length > 0 ? missing : ['Nothing keeps it down.']
}
