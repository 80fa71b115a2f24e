// One box: suggests tokens and wallets while the reader types. Enter opens the marked one, an address its page, and
// anything else filters the tokens by symbol or name. Keyboard and roles are those of the combobox with a list
// (WAI-ARIA APG).
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { dollars, shortAddress, words } from '../format.ts'
import { isAddress } from '../is-address.ts'
import { Foreign } from './address.tsx'
import { Lookalike, Risk } from './risk.tsx'

/** The pause in typing before a query. */
const PAUSE_MS = 300
/** A shorter text would match nearly everything, and each search is charged. */
const LEAST_SIGNS = 2
/** The longest text that a search takes. */
const MOST_SIGNS = 64

const SUGGESTIONS = graphql(`
query Suggestions($text: String!) {
  search(query: $text, limit: 8) {
    tokens { __typename address symbol name liquidityUsd riskScore riskLevel reasons { points } lookalikeOf { address symbol } }
    wallets { __typename address classification }
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

/** The tokens and wallets of a text; none of another text, or while the box is closed. */
function useFound(text: string, isOpen: boolean) {
  const asked = useSettled(isOpen ? text : '')
  const { data } = useQuery(SUGGESTIONS, asked.length < LEAST_SIGNS ? null : { text: asked })
  const isCurrent = isOpen && asked.length >= LEAST_SIGNS && asked === text
  return isCurrent && data ? [...data.search.tokens, ...data.search.wallets] : []
}

type Found = ReturnType<typeof useFound>

const pathOf = (item: Found[number]) => `/${item.__typename === 'Token' ? 'token' : 'wallet'}/${item.address}`

/** The path that Enter opens: of the marked suggestion, of a typed address, or of the list with this text. */
function aimOf(found: Found, marked: number, typed: string): string {
  const chosen = found[marked]
  if (chosen) return pathOf(chosen)
  if (!isAddress(typed)) return typed ? `/?q=${encodeURIComponent(typed)}` : '/'
  const known = found.find(({ address }) => address === typed.toLowerCase())
  return known ? pathOf(known) : `/token/${typed.toLowerCase()}`
}

/** The place after the last and before the first is the text itself: -1. */
const nextMark = (marked: number, step: number, count: number): number =>
  ((marked + 1 + step + count + 1) % (count + 1)) - 1

export function SearchBox() {
  const { route, query, path } = useLocation()
  const shown = path === '/' ? (query.q ?? '') : ''
  const [text, setText] = useState(shown)
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  useEffect(() => setText(shown), [shown])
  const found = useFound(text.trim(), isOpen)

  const leave = (to: string) => {
    setIsOpen(false)
    setMarked(-1)
    route(to)
  }
  const type = (event: TargetedEvent<HTMLInputElement>) => {
    setText(event.currentTarget.value)
    setIsOpen(true)
    setMarked(-1)
  }
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    leave(aimOf(found, marked, text.trim()))
  }
  const move = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setMarked(nextMark(marked, step, found.length))
    }
    if (event.key === 'Escape' && isOpen && found.length > 0) {
      event.preventDefault()
      setIsOpen(false)
    }
  }
  return (
    <search>
      <form onSubmit={submit}>
        <SearchInput
          text={text}
          count={found.length}
          marked={marked}
          onInput={type}
          onKeyDown={move}
          onBlur={() => setIsOpen(false)}
        />
      </form>
      <Suggestions found={found} marked={marked} onClose={() => setIsOpen(false)} />
    </search>
  )
}

interface SuggestionsProps {
  found: Found
  marked: number
  onClose(): void
}

function Suggestions({ found, marked, onClose }: SuggestionsProps) {
  return (
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
          onClick={onClose}
        >
          <Suggestion item={item} />
        </a>
      ))}
    </div>
  )
}

function Suggestion({ item }: { item: Found[number] }) {
  return item.__typename === 'Token' ? (
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
  )
}

interface SearchInputProps {
  text: string
  /** The number of suggestions. */
  count: number
  marked: number
  onInput(event: TargetedEvent<HTMLInputElement>): void
  onKeyDown(event: TargetedKeyboardEvent<HTMLInputElement>): void
  onBlur(): void
}

function SearchInput({ text, count, marked, ...on }: SearchInputProps) {
  return (
    <>
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
        aria-expanded={count > 0}
        aria-controls="suggestions"
        aria-activedescendant={marked >= 0 && marked < count ? `suggestion-${marked}` : undefined}
        maxLength={MOST_SIGNS}
        placeholder="Symbol, name or address"
        value={text}
        {...on}
      />
    </>
  )
}
