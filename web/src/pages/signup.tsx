// Signing up, and signing in again: asks for a link by mail, and confirms the link of a mail by a click. A mail scanner that
// opens the link thus leaves it as it was.
import type { TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { toFailure } from '../api/ask.ts'
import { key, setKey } from '../api/key.ts'
import { askForLink, confirmLink, type SignupKey, signupMode } from '../api/signup.ts'
import { Panel } from '../parts/panel.tsx'
import { SecretNote } from '../parts/secret-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { DateTime } from '../parts/when.tsx'

/** Takes a value out of the fragment, so that it stays neither in the address bar nor in the history. */
function takeFragment(name: 'token' | 'invite'): string {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? ''
  if (value) history.replaceState(history.state, '', location.pathname)
  return value
}

export function SignupPage() {
  useTitle('Sign up')
  const [token, setToken] = useState(() => takeFragment('token'))
  const [invite] = useState(() => takeFragment('invite'))
  useEffect(() => {
    // A link that is opened on this page loads no other one.
    const read = () => setToken((before) => takeFragment('token') || before)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return (
    <Panel title={token ? 'Confirm your address' : 'A key by mail'} level={1} class="narrow">
      {token ? <Confirm key={token} token={token} onLeave={() => setToken('')} /> : <Ask invite={invite} />}
    </Panel>
  )
}

function Ask({ invite }: { invite: string }) {
  const [said, setSaid] = useState<{ text: string; isDone: boolean } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setBusy(true)
    try {
      const { message } = await askForLink(String(data.get('email') ?? ''), String(data.get('invite') ?? '').trim())
      setSaid({ text: message, isDone: true })
    } catch (error) {
      setSaid({ text: toFailure(error).message, isDone: false })
    }
    setBusy(false)
  }
  return (
    <form onSubmit={submit}>
      <p>
        A mail brings a link to a key. If the address has an account, the link signs you in, so that you can replace a
        lost key.
      </p>
      <p class="row">
        <label>
          Mail address <input name="email" type="email" required autocomplete="email" maxLength={254} size={30} />
        </label>
      </p>
      {signupMode === 'invite' && (
        <p class="row">
          <label>
            Invite, for a new account{' '}
            <input name="invite" defaultValue={invite} autocomplete="off" spellcheck={false} maxLength={43} size={30} />
          </label>
        </p>
      )}
      <p>
        <button type="submit" disabled={isBusy}>
          Send the link
        </button>
      </p>
      <p role="status" class={said?.isDone ? 'up' : 'bad'}>
        {said?.text}
      </p>
    </form>
  )
}

function Confirm({ token, onLeave }: { token: string; onLeave: () => void }) {
  const [given, setGiven] = useState<SignupKey | null>(null)
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const confirmAddress = async () => {
    setBusy(true)
    try {
      const answer = await confirmLink(token)
      setKey(answer.key)
      setGiven(answer)
    } catch (error) {
      setFault(toFailure(error).message)
    }
    setBusy(false)
  }
  if (given) return <Given {...given} />
  return (
    <>
      <p>
        The link of the mail gives one key, once.
        {key.value ? ' This tab uses another key: it takes the place of that one.' : ''}
      </p>
      <p>
        <button type="button" onClick={confirmAddress} disabled={isBusy || fault !== ''}>
          Confirm and show the key
        </button>
      </p>
      <p role="alert" class="bad">
        {fault}
      </p>
      {fault && (
        <p>
          <button type="button" onClick={onLeave}>
            Ask for another link
          </button>
        </p>
      )}
    </>
  )
}

const Given = ({ key: secret, email, expires_at: expiresAt }: SignupKey) => (
  <>
    <p>
      You are signed in as <strong>{email}</strong>.
    </p>
    <SecretNote secret={secret} />
    {expiresAt && (
      <p>
        This key ends at <DateTime iso={expiresAt} />. Make or rotate a key of your own before that, and make alerts
        with that key.
      </p>
    )}
    <p>
      <a href="/account">To your account</a>
    </p>
  </>
)
