// One box: suggests tokens and wallets while the reader types. Enter opens the marked one, an address its page, and
// anything else filters the tokens by symbol or name. Keyboard and roles are those of the combobox with a list
// (WAI-ARIA APG).
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { dollars, shortAddress, words } from '../format.ts'
import { Foreign } from './address.tsx'
import { Lookalike, Risk } from './risk.tsx'

const ADDRESS = /^0x[0-9a-f]{40}$/i
/** The pause in typing before a query. */
const PAUSE_MS = 300
/** A shorter text would match nearly everything, and each search is charged. */
const LEAST_SIGNS = 2
/** The longest text that a search takes. */
const MOST_SIGNS = 64

const SUGGESTIONS = graphql(`
query Suggestions($text: String!) {
  search(query: $text, first: 8) {
    __typename
    ... on Token { address symbol name liquidityUsd riskScore riskLevel reasons { points } lookalikeOf { address symbol } }
    ... on Wallet { address classification }
  }
}`)

/** The text after a pause in typing; empty at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}

export function SearchBox() {
  const { route, query, path } = useLocation()
  const shown = path === '/' ? (query.q ?? '') : ''
  const [text, setText] = useState(shown)
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  useEffect(() => setText(shown), [shown])
  const asked = useSettled(isOpen ? text.trim() : '')
  const { data } = useQuery(SUGGESTIONS, asked.length < LEAST_SIGNS ? null : { text: asked })
  // Results for another text are not shown.
  const isCurrent = isOpen && asked.length >= LEAST_SIGNS && asked === text.trim()
  const found = isCurrent ? (data?.search ?? []) : []

  const leave = (to: string) => {
    setIsOpen(false)
    setMarked(-1)
    route(to)
  }
  const pathOf = (item: (typeof found)[number]) =>
    `/${item.__typename === 'Token' ? 'token' : 'wallet'}/${item.address}`
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const [chosen, typed] = [found[marked], text.trim()]
    if (chosen) leave(pathOf(chosen))
    else if (!ADDRESS.test(typed)) leave(typed ? `/?q=${encodeURIComponent(typed)}` : '/')
    else {
      const known = found.find(({ address }) => address === typed.toLowerCase())
      leave(known ? pathOf(known) : `/token/${typed.toLowerCase()}`)
    }
  }
  const move = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      // The place after the last and before the first is the text itself.
      setMarked(((marked + 1 + step + found.length + 1) % (found.length + 1)) - 1)
    }
    if (event.key === 'Escape' && isOpen && found.length > 0) {
      event.preventDefault()
      setIsOpen(false)
    }
  }
  return (
    <search>
      <form onSubmit={submit}>
        <label class="hidden" for="q">
          Search a token or an address
        </label>
        <input
          id="q"
          name="q"
          type="text"
          enterkeyhint="search"
          role="combobox"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls="suggestions"
          aria-activedescendant={found[marked] ? `suggestion-${marked}` : undefined}
          maxLength={MOST_SIGNS}
          placeholder="Symbol, name or address"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setIsOpen(true)
            setMarked(-1)
          }}
          onKeyDown={move}
          onBlur={() => setIsOpen(false)}
        />
      </form>
      <div id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden={found.length === 0}>
        {found.map((item, at) => (
          <a
            key={item.address}
            id={`suggestion-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === marked}
            href={pathOf(item)}
            // A press would take the focus from the box, and with it the list, before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setIsOpen(false)}
          >
            {item.__typename === 'Token' ? (
              <>
                <b>
                  <Foreign text={item.symbol} most={16} />
                </b>
                <span>
                  <Foreign text={item.name} most={24} />
                </span>
                {item.lookalikeOf && <Lookalike of={item.lookalikeOf} />}
                <span>{dollars(item.liquidityUsd)}</span>
                <Risk riskScore={item.riskScore} riskLevel={item.riskLevel} isScored={item.reasons.length > 0} />
              </>
            ) : (
              <>
                <b class="address">{shortAddress(item.address)}</b>
                <span>{words(item.classification)}</span>
              </>
            )}
          </a>
        ))}
      </div>
    </search>
  )
}
