// "Alert on this token" and "Alert on this wallet": a dialog with an alert that is filled in, and a choice of its cause.
import { useState } from 'preact/hooks'
import { namesWallets } from '../filter.ts'
import { foreign, shortAddress } from '../format.ts'
import { AlertForm } from './alert-button.tsx'
import { type Cause, causesOfToken, causesOfWallet, forAtLeast, type WatchedToken } from './causes.ts'
import { DialogButton } from './dialog-button.tsx'

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
  const [least, setLeast] = useState('')
  const cause = causes[chosen]
  if (!cause) return null
  const isOfTrades = namesWallets(cause.conditions)
  const { text: when, conditions } = isOfTrades && Number(least) > 0 ? forAtLeast(cause, Number(least)) : cause
  return (
    <AlertForm key={cause.text} filter={conditions} named={{ name: `${name}: ${when}`, when }}>
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
        {isOfTrades && (
          <label>
            for at least{' '}
            <input
              type="number"
              min="0"
              step="any"
              placeholder="any sum"
              value={least}
              onChange={(event) => setLeast(event.currentTarget.value)}
            />{' '}
            USD
          </label>
        )}
      </p>
    </AlertForm>
  )
}

/** Of a token: its risk, its liquidity, its sale. */
export const AlertOnToken = ({ token }: { token: WatchedToken & { symbol: string } }) => (
  <AlertOn what="token" name={foreign(token.symbol, 16) || shortAddress(token.address)} causes={causesOfToken(token)} />
)

/** Of a wallet: what it buys and sells. */
export const AlertOnWallet = ({ address }: { address: string }) => (
  <AlertOn what="wallet" name={shortAddress(address)} causes={causesOfWallet(address)} />
)
