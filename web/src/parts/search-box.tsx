// One box: an address opens its page, anything else filters the tokens by symbol or name.
import type { TargetedEvent } from 'preact'
import { useLocation } from 'preact-iso'

const ADDRESS = /^0x[0-9a-f]{40}$/i

export function SearchBox() {
  const { route, query, path } = useLocation()
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    if (ADDRESS.test(text)) route(`/token/${text.toLowerCase()}`)
    else route(text ? `/?q=${encodeURIComponent(text)}` : '/')
  }
  return (
    <search>
      <form onSubmit={submit}>
        <label class="hidden" for="q">
          Search a token or an address
        </label>
        <input
          id="q"
          key={path === '/' ? (query.q ?? '') : ''}
          name="q"
          type="search"
          maxLength={100}
          placeholder="Symbol, name or address"
          defaultValue={path === '/' ? (query.q ?? '') : ''}
        />
      </form>
    </search>
  )
}
