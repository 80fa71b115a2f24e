// Chips for the contract's filters. A bound opens a small form, a flag is on or off; all together are one filter.
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { FLAG_WORDS } from '../../../src/verdict/flag-words.ts'
import {
  BOUNDS,
  type BoundKind,
  boundsFor,
  type Filter,
  FLAG_NAMES,
  type FlagName,
  forList,
  NAMINGS,
  namesWallets,
  POWER_FIELDS,
  POWER_NAMES,
  type SWITCHES,
  showBound,
  switchesFor,
} from '../filter.ts'
import { shortAddress } from '../format.ts'
import { FLAGS, POWERS } from '../words.ts'

interface FilterBarProps {
  filter: Filter
  onChange(filter: Filter): void
}

const UNIT_WORDS: Record<BoundKind['unit'], string> = {
  ...{ USD: 'USD', hours: 'hours', percent: 'percent', 'points, 0-100': 'of 100', count: '', none: '' },
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const [open, setOpen] = useState<string | null>(null)
  const toggleFlag = (flag: FlagName) => {
    const flags = filter.excludeFlags ?? []
    const next = flags.includes(flag) ? flags.filter((one) => one !== flag) : [...flags, flag]
    const { excludeFlags: _, ...rest } = filter
    onChange(next.length > 0 ? { ...rest, excludeFlags: next } : rest)
  }
  const unwant = (flag: FlagName) => {
    const { includeFlags = [], ...rest } = filter
    const next = includeFlags.filter((one) => one !== flag)
    onChange(next.length > 0 ? { ...rest, includeFlags: next } : rest)
  }
  const setSwitch = (field: (typeof SWITCHES)[number]['field'], value: boolean | undefined) => {
    const { [field]: _, ...rest } = filter
    onChange(value === undefined ? rest : { ...rest, [field]: value })
  }
  const areAllExcluded = filter.excludePowers?.length === POWER_NAMES.length
  const toggleAllPowers = () => {
    const { excludePowers: _, ...rest } = filter
    onChange(areAllExcluded ? rest : { ...rest, excludePowers: [...POWER_NAMES] })
  }
  const dropPower = (field: (typeof POWER_FIELDS)[number], power: string) => {
    const { [field]: powers = [], ...rest } = filter
    const next = powers.filter((one) => one !== power)
    onChange(next.length > 0 ? { ...rest, [field]: next } : rest)
  }
  const setBound = (kind: BoundKind, value: number | undefined) => {
    const { [kind.field]: _, ...rest } = filter
    onChange(value === undefined ? rest : { ...rest, [kind.field]: value })
    setOpen(null)
  }
  const unname = (field: (typeof NAMINGS)[number]['field']) => {
    const { [field]: _, ...rest } = filter
    onChange(namesWallets(rest) ? rest : forList(rest))
  }
  const opened = BOUNDS.find(({ field }) => field === open)
  return (
    <div class="filters">
      <fieldset class="row slide" aria-label="Filters">
        {NAMINGS.map(
          ({ field, words }) =>
            filter[field] && (
              <button
                key={field}
                type="button"
                class="chip"
                title="A click removes it."
                aria-pressed={true}
                onClick={() => unname(field)}
              >
                {words} {filter[field]?.map(shortAddress).join(', ')} ✕
              </button>
            ),
        )}
        {boundsFor(filter).map((kind) => {
          const value = filter[kind.field]
          return (
            <span key={kind.field} class="chip-pair">
              <button
                type="button"
                class="chip"
                aria-expanded={open === kind.field}
                aria-pressed={value !== undefined}
                onClick={() => setOpen(open === kind.field ? null : kind.field)}
              >
                {kind.label} {kind.sign} {value === undefined ? '…' : showBound(kind, value)}
              </button>
              {value !== undefined && (
                <button
                  type="button"
                  class="chip remove"
                  aria-label={`Remove the filter ${kind.label} ${kind.sign}`}
                  onClick={() => setBound(kind, undefined)}
                >
                  ✕
                </button>
              )}
            </span>
          )
        })}
        {FLAG_NAMES.map((flag) => (
          <button
            key={flag}
            type="button"
            class="chip"
            title={`Leaves out: ${FLAG_WORDS[flag]}.`}
            aria-pressed={filter.excludeFlags?.includes(flag) ?? false}
            onClick={() => toggleFlag(flag)}
          >
            No {FLAGS[flag]}
          </button>
        ))}
        {filter.includeFlags?.map((flag) => (
          <button
            key={`only ${flag}`}
            type="button"
            class="chip"
            title="Only tokens with one of the flags that are wanted; a click removes this one."
            aria-pressed={true}
            onClick={() => unwant(flag)}
          >
            Only {FLAGS[flag]} ✕
          </button>
        ))}
        {switchesFor(filter).map(({ field, words }) => {
          const value = filter[field]
          if (value === undefined && field === 'ownerChanged') return null
          return (
            <button
              key={field}
              type="button"
              class="chip"
              aria-pressed={value !== undefined}
              onClick={() => setSwitch(field, value === undefined ? true : undefined)}
            >
              {words[value === false ? 1 : 0]}
            </button>
          )
        })}
        <button
          type="button"
          class="chip"
          title="Leaves out: somebody can hurt the holders, or nobody looked into the code."
          aria-pressed={areAllExcluded}
          onClick={toggleAllPowers}
        >
          No powers
        </button>
        {POWER_FIELDS.map((field) =>
          (field === 'excludePowers' && areAllExcluded ? [] : (filter[field] ?? [])).map((power) => (
            <button
              key={`${field} ${power}`}
              type="button"
              class="chip"
              aria-pressed={true}
              onClick={() => dropPower(field, power)}
            >
              {field === 'excludePowers' ? 'Nobody' : 'Somebody'} can {POWERS[power]} ✕
            </button>
          )),
        )}
      </fieldset>
      {opened && (
        <BoundForm
          key={opened.field}
          kind={opened}
          value={filter[opened.field]}
          onSet={(value) => setBound(opened, value)}
        />
      )}
    </div>
  )
}

interface BoundFormProps {
  kind: BoundKind
  value: number | undefined
  onSet(value: number | undefined): void
}

/** `autofocus` counts only while a page is loaded. */
const focus = (input: HTMLInputElement | null): void => input?.focus()

function BoundForm({ kind, value, onSet }: BoundFormProps) {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('bound') ?? '').trim()
    onSet(text === '' ? undefined : Number(text))
  }
  return (
    <form class="row popover" onSubmit={submit}>
      <label>
        {kind.label} {kind.sign}{' '}
        <input
          name="bound"
          type="number"
          step="any"
          min={kind.unit === 'percent' ? undefined : 0}
          max={kind.unit === 'points, 0-100' ? 100 : undefined}
          defaultValue={value === undefined ? '' : String(value)}
          ref={focus}
        />{' '}
        {UNIT_WORDS[kind.unit]}
      </label>
      <button type="submit">Set</button>
      {kind.presets.map((preset) => (
        <button key={preset} type="button" class="chip" onClick={() => onSet(preset)}>
          {showBound(kind, preset)}
        </button>
      ))}
    </form>
  )
}
