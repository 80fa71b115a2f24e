// Asks for a key when the server gave none.
import type { TargetedEvent } from 'preact'
import { setKey } from '../api/key.ts'

export function KeyBox() {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const value = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (value) setKey(value)
  }
  return (
    <section class="panel narrow" aria-labelledby="key-title">
      <h1 id="key-title">An API key is needed</h1>
      <p>It stays in this tab until you close it, and is sent to this server only.</p>
      <form onSubmit={submit} class="row">
        <label>
          API key
          <input name="key" type="password" required autocomplete="off" spellcheck={false} placeholder="assay_live_…" />
        </label>
        <button type="submit">Use it</button>
      </form>
      <p>Whoever runs the server makes one:</p>
      <pre tabIndex={0}>npm run -s assay -- keys create --email you@example.com --plan free</pre>
    </section>
  )
}
