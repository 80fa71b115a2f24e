// "Check now": asks for a check of the token's contract and tells what became of it. When the newest check was made
// stands beside it.
import type { ResultOf } from 'gql.tada'
import { useState } from 'preact/hooks'
import { countOf } from '../../../src/words/numbers.ts'
import { ask, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { refresh } from '../api/live.ts'
import { subscribe } from '../api/subscribe.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { When } from './when.tsx'

const CHECK = graphql(`
mutation CheckToken($address: Address!) { tokenCheck(address: $address) { state } }`)

const STEPS = graphql(`
subscription CheckStep($address: Address!) { checkStep(address: $address) { step holders } }`)

type Progress = NonNullable<ResultOf<typeof STEPS>['checkStep']>

type State = ResultOf<typeof CHECK>['tokenCheck']['state']

const SAID: Readonly<Record<State, string>> = {
  checked: 'Checked now.',
  waits: 'Not over yet: the result follows.',
  failed: 'The node did not answer. It is asked again in five minutes.',
  checks_off: 'The operator switched checks off.',
  vouched_by_preset: 'It is money of the chain, which is not checked.',
  not_erc20: 'It is no token whose contract is checked.',
}

/** Why no check can be made, by what the newest one said. */
const NEVER: Readonly<Record<string, string>> = {
  checks_off: 'No check: the operator switched checks off, or no node runs code.',
  node_cannot_simulate: 'No check: the node runs no code for a trial.',
  vouched_by_preset: 'No check: it is money of the chain.',
}

/** A check waits up to 15 seconds for its answer. */
const PROGRESS = 'Checking its contract, up to 15 seconds'

const DOING: Readonly<Record<Progress['step'], string>> = {
  waiting: 'Waiting for other checks',
  reading: 'Reading its holders and pools',
  trials: 'Reading its code and taxes',
  powers: 'Trying what single accounts can do',
  storing: 'Storing the result',
  scoring: 'Scoring it anew',
}

const tellStep = ({ step, holders }: Progress): string =>
  holders ? `Asking ${countOf(holders, 'holder')} to sell` : DOING[step]

/** Tells the steps as the server makes them, until it is called. */
const followSteps = (address: string, tell: (text: string) => void) =>
  subscribe(STEPS, () => ({ address }), {
    onData: ({ checkStep }) => checkStep && tell(tellStep(checkStep)),
    onLive: () => {},
    onRefused: () => false,
  })

export function CheckNow({ token: { address, verdict, sellCheck } }: { token: TokenData }) {
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const never = sellCheck.reason === null ? undefined : NEVER[sellCheck.reason]
  const check = async () => {
    setBusy(true)
    setSaid(`${PROGRESS}…`)
    const stop = followSteps(address, (text) => setSaid(`${text}…`))
    try {
      const { tokenCheck } = await ask(CHECK, { address })
      stop()
      setSaid(SAID[tokenCheck.state])
      refresh()
    } catch (error) {
      stop()
      setSaid(toFailure(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class="chip"
        aria-disabled={isBusy || never !== undefined}
        aria-describedby="check-state"
        title={never ?? 'Checks its contract at the newest block. It costs ten requests.'}
        onClick={() => !isBusy && never === undefined && check()}
      >
        {isBusy ? 'Checking…' : 'Check now'}
      </button>
      {isBusy && <progress aria-label={PROGRESS} />}
      <small id="check-state" role="status">
        {never ?? said}{' '}
        {!isBusy && never === undefined && (
          <span class="faint">
            {verdict?.checkedAt ? (
              <>
                checked <When iso={verdict.checkedAt} />
              </>
            ) : (
              'not checked'
            )}
          </span>
        )}
      </small>
    </>
  )
}
