// One box: suggests tokens and wallets while the reader types, those of the other chains last. Enter opens the marked
// one, an address its page, and anything else filters the tokens by symbol or name. Keyboard and roles are those of the combobox with a list
// (WAI-ARIA APG).
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { CHAINS, useChainLocation } from '../chain.ts'
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
    tokens { __typename address symbol name liquidityUsd riskScore verdict { level headline } lookalikeOf { address symbol } }
    wallets { __typename address classification }
  }
}`)

const EVERYWHERE = graphql(`
query Everywhere($text: String!, $address: Address!, $isAddress: Boolean!) {
  chains {
    name path
    tokens(query: $text, limit: 3) { __typename address symbol name liquidityUsd riskScore riskLevel }
    wallet(address: $address) @include(if: $isAddress) { __typename classification tradeCount }
  }
}`)

const NO_ADDRESS = `0x${'0'.repeat(40)}`

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
  const isCurrent = isOpen && asked.length >= LEAST_SIGNS && asked === text
  const variables = asked.length < LEAST_SIGNS ? null : { text: asked }
  const { data } = useQuery(SUGGESTIONS, variables)
  const elsewhere = useElsewhere(asked)
  if (!isCurrent) return { found: [], silent: [] }
  const own = data ? [...data.search.tokens, ...data.search.wallets] : []
  return { found: [...own, ...elsewhere.found], silent: elsewhere.silent }
}

/** Those of the other chains, and the names of chains that did not answer. */
function useElsewhere(asked: string) {
  const isAsked = CHAINS.length > 1 && asked.length >= LEAST_SIGNS
  const address = isAddress(asked) ? asked.toLowerCase() : NO_ADDRESS
  const variables = { text: asked, address, isAddress: isAddress(asked) }
  const { data, failure } = useQuery(EVERYWHERE, isAsked ? variables : null)
  const others = CHAINS.filter(({ isThis }) => !isThis)
  if (failure) return { found: [], silent: others.map(({ name }) => name) }
  const chains = (data?.chains ?? []).filter(({ path }) => others.some((other) => other.path === path))
  const found = chains.flatMap(({ name, path, tokens, wallet }) => {
    const place = { chain: name, start: `${location.origin}${path}` }
    return [...(tokens ?? []), ...(wallet ? [{ ...wallet, address }] : [])].map((item) => ({ ...item, ...place }))
  })
  return { found, silent: chains.filter(({ tokens }) => tokens === null).map(({ name }) => name) }
}

type Found = ReturnType<typeof useFound>['found']

/** That of another chain is whole: it leaves this page. */
function pathOf(item: Found[number]): string {
  const kind = item.__typename.startsWith('Token') ? 'token' : 'wallet'
  return `${'start' in item ? item.start : ''}/${kind}/${item.address}`
}

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
  const { route, query, path } = useChainLocation()
  const shown = path === '/' ? (query.q ?? '') : ''
  const [text, setText] = useState(shown)
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(-1)
  useEffect(() => setText(shown), [shown])
  const { found, silent } = useFound(text.trim(), isOpen)

  const leave = (to: string) => {
    setIsOpen(false)
    setMarked(-1)
    if (to.startsWith('/')) route(to)
    else location.assign(to)
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
      <Suggestions found={found} silent={silent} marked={marked} onClose={() => setIsOpen(false)} />
    </search>
  )
}

interface SuggestionsProps {
  found: Found
  /** Chains that did not answer. */
  silent: string[]
  marked: number
  onClose(): void
}

function Suggestions({ found, silent, marked, onClose }: SuggestionsProps) {
  const isEmpty = found.length + silent.length === 0
  return (
    <div id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden={isEmpty}>
      {found.map((item, at) => (
        <a
          key={pathOf(item)}
          id={`suggestion-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === marked}
          href={pathOf(item)}
          target={'start' in item ? '_self' : undefined}
          // A press would take the focus from the box, and with it the list, before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClose}
        >
          <Suggestion item={item} />
        </a>
      ))}
      {silent.map((name) => (
        <div key={name} role="option" tabIndex={-1} aria-disabled="true" aria-selected="false">
          {name} did not search its tokens
        </div>
      ))}
    </div>
  )
}

function Suggestion({ item }: { item: Found[number] }) {
  if (item.__typename === 'Wallet' || item.__typename === 'WalletOnChain')
    return (
      <>
        <b class="address">{shortAddress(item.address)}</b>
        <span>{words(item.classification)}</span>
        {'chain' in item && <i>on {item.chain}</i>}
      </>
    )
  const verdict = 'verdict' in item ? item.verdict : item.riskLevel && { level: item.riskLevel }
  return (
    <>
      <b>
        <Foreign text={item.symbol} most={16} />
      </b>
      <span>
        <Foreign text={item.name} most={24} />
      </span>
      {'chain' in item && <i>on {item.chain}</i>}
      {'lookalikeOf' in item && item.lookalikeOf && <Lookalike of={item.lookalikeOf} />}
      <span>{dollars(item.liquidityUsd)}</span>
      <Risk riskScore={item.riskScore} verdict={verdict || null} />
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
