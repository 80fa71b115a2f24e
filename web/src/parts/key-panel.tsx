// The keys of an account: make, name, rotate and revoke them.
import type { TargetedEvent } from 'preact'
import { foreign, whole } from '../format.ts'
import { DialogButton } from './dialog-button.tsx'
import { Panel } from './panel.tsx'
import { Scroll } from './scroll.tsx'
import type { ApiKey, KeyChanges } from './use-key-changes.ts'
import { When } from './when.tsx'

/** How long an old secret keeps working, so that programs can be changed. */
const OVERLAP_HOURS = 24

const nameOf = ({ id, name }: ApiKey): string => (name ? foreign(name, 60) : `Key ${id}`)

interface KeyPanelProps {
  keys: readonly ApiKey[]
  /** With those that are not shown. */
  total: number
  changes: KeyChanges
}

export function KeyPanel({ keys, total, changes }: KeyPanelProps) {
  const ending = keys.find(({ isCurrent, expiresAt }) => isCurrent && expiresAt)?.expiresAt
  return (
    <Panel title="Keys">
      {ending && (
        <p class="note">
          The key of this tab ends <When iso={ending} />. Make a key of your own, or rotate a lost one.
        </p>
      )}
      <Scroll label="Keys">
        <table class="cards">
          <thead>
            <tr>
              <th scope="col" class="text">
                Name
              </th>
              <th scope="col" class="text">
                Key
              </th>
              <th scope="col" class="text mid">
                Last used
              </th>
              <th scope="col" class="text mid">
                Made
              </th>
              <th scope="col" class="text">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} row={key} changes={changes} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {total > keys.length && <p class="faint">{whole(total - keys.length)} older keys are not shown.</p>}
      <NameForm label="Name of a new key" button="Make a key" onName={changes.create} />
    </Panel>
  )
}

function KeyRow({ row, changes }: { row: ApiKey; changes: KeyChanges }) {
  const name = nameOf(row)
  const warning = row.isCurrent ? ' This tab uses it.' : ''
  return (
    <tr>
      <th scope="row" class="text wrap">
        {name} {row.isCurrent && <small>this tab</small>}
      </th>
      <td class="text">
        <code>
          {row.prefix}…{row.lastFour}
        </code>
      </td>
      <td class="text mid" data-name="Last used">
        {row.lastUsedAt ? <When iso={row.lastUsedAt} /> : 'never'}
      </td>
      <td class="text mid" data-name="Made">
        <When iso={row.createdAt} />
      </td>
      <td class="text">
        <DialogButton name="Rename" class="" title="Rename the key" label={`Rename ${name}`}>
          <NameForm label="Name" button="Rename" value={row.name} onName={(given) => changes.rename(row.id, given)} />
        </DialogButton>{' '}
        {row.expiresAt === null && (
          <DialogButton name="Rotate" class="" title="Rotate the key" label={`Rotate ${name}`}>
            <RotateChoice onChoice={(hours) => changes.rotate(row, hours)} />
          </DialogButton>
        )}{' '}
        <button
          type="button"
          aria-label={`Revoke ${name}`}
          onClick={() => confirm(`Revoke “${name}” for good?${warning}`) && changes.revoke(row)}
        >
          Revoke
        </button>
      </td>
    </tr>
  )
}

/** Closes the dialog around an element. */
const closeAround = (element: Element) => element.closest('dialog')?.close()

function RotateChoice({ onChoice }: { onChoice: (overlapHours: number) => void }) {
  const choose = (hours: number) => (event: TargetedEvent<HTMLButtonElement, MouseEvent>) => {
    closeAround(event.currentTarget)
    onChoice(hours)
  }
  return (
    <>
      <p>The key gets a new secret and keeps its alerts. How long does the old secret keep working?</p>
      <p class="row">
        <button type="button" onClick={choose(OVERLAP_HOURS)}>
          {OVERLAP_HOURS} hours
        </button>
        <button type="button" onClick={choose(0)}>
          Not at all
        </button>
      </p>
    </>
  )
}

interface NameFormProps {
  label: string
  button: string
  value?: string
  onName: (name: string) => void
}

function NameForm({ label, button, value = '', onName }: NameFormProps) {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (!name) return
    onName(name)
    form.reset()
    closeAround(form)
  }
  return (
    <form onSubmit={submit}>
      <p class="row">
        <label>
          {label} <input name="name" required maxLength={100} defaultValue={value} autocomplete="off" size={24} />
        </label>
        <button type="submit">{button}</button>
      </p>
    </form>
  )
}
