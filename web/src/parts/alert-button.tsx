// "Alert me about this filter": names the alert, chooses where it goes, and creates it; or gives the filter to an alert
// that exists.
import type { ComponentChildren, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { ask, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { isDemoKey } from '../api/key.ts'
import { refresh } from '../api/live.ts'
import type { Filter } from '../filter.ts'
import { Backtest } from './backtest.tsx'
import { CHANNELS, type Channel, ChannelFields, readChannel } from './channel.tsx'
import { describeConditions } from './conditions.ts'
import { DialogButton } from './dialog-button.tsx'

const CREATE = graphql(`
mutation Create($input: CreateAlertInput!) { alertCreate(input: $input) { alert { id } } }`)

const UPDATE = graphql(`
mutation Update($id: ID!, $input: UpdateAlertInput!) { alertUpdate(id: $id, input: $input) { alert { id } } }`)

interface AlertButtonProps {
  filter: Filter
  /** The alert that gets the filter; empty: a new one. */
  alert: string
}

export const AlertButton = ({ filter, alert }: AlertButtonProps) =>
  alert === '' ? (
    <DialogButton name="Alert me" class="chip strong" title="Alert me about this filter">
      <AlertForm filter={filter} />
    </DialogButton>
  ) : (
    <DialogButton name="Change the alert" class="chip strong" title="Change the alert to this filter">
      <ChangeForm filter={filter} alert={alert} />
    </DialogButton>
  )

/** Replaces the conditions, and the name if one is given. */
function ChangeForm({ filter, alert }: AlertButtonProps) {
  const [said, setSaid] = useState<{ text: string; isDone: boolean } | null>(null)
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    try {
      await ask(UPDATE, { id: alert, input: { conditions: filter, ...(name !== '' && { name }) } })
      refresh()
      setSaid({ text: 'The alert is changed.', isDone: true })
    } catch (error) {
      setSaid({ text: toFailure(error).message, isDone: false })
    }
  }
  return (
    <form onSubmit={submit}>
      <p>From now on it watches for: {describeConditions(filter)}.</p>
      <Backtest filter={filter} />
      <p class="row">
        <label>
          New name <input name="name" maxLength={100} placeholder="as it is" size={40} />
        </label>
        <button type="submit" disabled={said?.isDone}>
          Save
        </button>
      </p>
      <Said said={said} />
    </form>
  )
}

const Said = ({ said }: { said: { text: string; isDone: boolean } | null }) => (
  <p role="status" class={said?.isDone ? 'up' : 'bad'}>
    {said?.text} {said?.isDone && <a href="/alerts">All alerts</a>}
  </p>
)

interface AlertFormProps {
  filter: Filter
  /** Its first name, and when it fires; default: the filter in words. */
  named?: { name: string; when: string }
  /** What a reader chooses before the rest. */
  children?: ComponentChildren
}

/** Names a new alert, and creates it. */
export function AlertForm({ filter, named, children }: AlertFormProps) {
  const [said, setSaid] = useState<{ text: string; isDone: boolean } | null>(null)
  const [channel, setChannel] = useState<Channel>('email')
  const description = describeConditions(filter)
  const isFiltered = Object.keys(filter).length > 0
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name') ?? '').trim()
    try {
      await ask(CREATE, { input: { name, conditions: filter, ...readChannel(form) } })
      refresh()
      setSaid({ text: 'The alert is active.', isDone: true })
    } catch (error) {
      setSaid({ text: toFailure(error).message, isDone: false })
    }
  }
  return (
    <form onSubmit={submit}>
      {children}
      {isFiltered ? (
        <p>
          {channel === 'email' ? 'A mail comes' : `A message comes in ${CHANNELS[channel]}`} when{' '}
          {named?.when ?? `a token begins to pass: ${description}`}.
        </p>
      ) : (
        <p>No filter is set, so messages come about every token. To hear of fewer, close this and filter first.</p>
      )}
      <Backtest filter={filter} />
      <ChannelFields channel={channel} onChannel={setChannel} />
      {isDemoKey.value && channel === 'email' && (
        <p class="faint">Without SMTP_URL the mail is a file in the folder of the data: .assay/mail.</p>
      )}
      <p class="row">
        <label>
          Name{' '}
          <input
            name="name"
            required
            maxLength={100}
            defaultValue={(named?.name ?? description).slice(0, 100)}
            size={40}
          />
        </label>
        <button type="submit" disabled={said?.isDone}>
          Create
        </button>
      </p>
      <Said said={said} />
    </form>
  )
}
