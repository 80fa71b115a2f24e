// Asks for a key when the server gave none.
import type { TargetedEvent } from 'preact'
import { setKey } from '../api/key.ts'
import { SIGNUP_PATH, signupMode } from '../api/signup.ts'

export const KeyBox = () => (
  <section class="panel narrow" aria-labelledby="key-title">
    <h1 id="key-title">An API key is needed</h1>
    <KeyForm />
    {signupMode === null ? (
      <>
        <p>Whoever runs the server makes one:</p>
        <pre tabIndex={0}>npm run -s assay -- keys create --email you@example.com --plan free</pre>
      </>
    ) : (
      <p>
        No key, or a lost one? <a href={SIGNUP_PATH}>Get one by mail</a>
      </p>
    )}
  </section>
)

export function KeyForm({ onSet }: { onSet?: () => void }) {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const value = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (!value) return
    setKey(value)
    onSet?.()
  }
  return (
    <form onSubmit={submit}>
      <p>A key stays in this tab until you close it, and is sent to this server only.</p>
      <p class="row">
        <label>
          API key{' '}
          <input name="key" type="password" required autocomplete="off" spellcheck={false} placeholder="assay_live_…" />
        </label>
        <button type="submit">Use it</button>
      </p>
    </form>
  )
}
