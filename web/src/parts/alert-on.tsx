// "Alert on this token" and "Alert on this wallet": a dialog with an alert that is filled in, and a choice of its cause.
import { useState } from 'preact/hooks'
import { RISK_CUTS, toRiskLevel } from '../../../src/base/risk-level.ts'
import type { Filter } from '../filter.ts'
import { foreign, shortAddress } from '../format.ts'
import { AlertForm } from './alert-button.tsx'
import { DialogButton } from './dialog-button.tsx'

/** A cause of an alert. */
interface Cause {
  text: string
  conditions: Filter
}

const UP_TO_MEDIUM = RISK_CUTS.medium - 0.01

/** The likeliest cause first: what may still happen to the token. */
function causesOfToken(address: string, riskScore: number): Cause[] {
  const tokens = [address]
  const rises = ([RISK_CUTS.medium, RISK_CUTS.high] as const).filter((cut) => riskScore < cut)
  return [
    ...rises.map((cut) => ({
      text: `its risk becomes ${toRiskLevel(cut)}`,
      conditions: { tokens, minRiskScore: cut },
    })),
    { text: 'its liquidity is pulled', conditions: { tokens, includeFlags: ['liquidity_pulled' as const] } },
    { text: 'holders cannot sell it', conditions: { tokens, sellable: false } },
    { text: 'its owner changes', conditions: { tokens, ownerChanged: true } },
  ]
}

const causesOfWallet = (address: string): Cause[] => [
  { text: 'it buys or sells a token', conditions: { tradedBy: [address] } },
  { text: 'it buys a token', conditions: { boughtBy: [address] } },
  { text: 'it buys a token of low or medium risk', conditions: { boughtBy: [address], maxRiskScore: UP_TO_MEDIUM } },
  { text: 'it sells a token', conditions: { soldBy: [address] } },
]

interface AlertOnProps {
  what: 'token' | 'wallet'
  /** What the name of the alert begins with. */
  name: string
  causes: readonly Cause[]
}

const AlertOn = ({ what, name, causes }: AlertOnProps) => (
  <DialogButton name={`Alert on this ${what}`} class="chip strong" title={`Alert on this ${what}`}>
    <CauseForm name={name} causes={causes} />
  </DialogButton>
)

function CauseForm({ name, causes }: Omit<AlertOnProps, 'what'>) {
  const [chosen, choose] = useState(0)
  const cause = causes[chosen]
  if (!cause) return null
  return (
    <AlertForm key={cause.text} filter={cause.conditions} named={{ name: `${name}: ${cause.text}`, when: cause.text }}>
      <p class="row">
        <label>
          Tell me when{' '}
          <select value={String(chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
            {causes.map(({ text }, at) => (
              <option key={text} value={String(at)}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </p>
    </AlertForm>
  )
}

/** Of a token: its risk, its liquidity, its sale. */
export const AlertOnToken = ({ token }: { token: { address: string; symbol: string; riskScore: number } }) => (
  <AlertOn
    what="token"
    name={foreign(token.symbol, 16) || shortAddress(token.address)}
    causes={causesOfToken(token.address, token.riskScore)}
  />
)

/** Of a wallet: what it buys and sells. */
export const AlertOnWallet = ({ address }: { address: string }) => (
  <AlertOn what="wallet" name={shortAddress(address)} causes={causesOfWallet(address)} />
)
