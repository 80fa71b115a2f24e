// "Alert me about this filter": names the alert, chooses where it goes, and creates it.
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { ask, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { isDemoKey } from '../api/key.ts'
import type { Filter } from '../filter.ts'
import { Backtest } from './backtest.tsx'
import { CHANNELS, type Channel, ChannelFields, readChannel } from './channel.tsx'
import { describeConditions } from './conditions.ts'
import { DialogButton } from './dialog-button.tsx'

const CREATE = graphql(`
mutation Create($input: CreateAlertInput!) { alertCreate(input: $input) { alert { id } } }`)

export const AlertButton = ({ filter }: { filter: Filter }) => (
  <DialogButton name="Alert me" class="chip strong" title="Alert me about this filter">
    <AlertForm filter={filter} />
  </DialogButton>
)

function AlertForm({ filter }: { filter: Filter }) {
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
      setSaid({ text: 'The alert is active.', isDone: true })
    } catch (error) {
      setSaid({ text: toFailure(error).message, isDone: false })
    }
  }
  return (
    <form onSubmit={submit}>
      {isFiltered ? (
        <p>
          {channel === 'email' ? 'A mail comes' : `A message comes in ${CHANNELS[channel]}`} when a token begins to
          pass: {description}.
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
          Name <input name="name" required maxLength={100} defaultValue={description.slice(0, 100)} size={40} />
        </label>
        <button type="submit" disabled={said?.isDone}>
          Create
        </button>
      </p>
      <p role="status" class={said?.isDone ? 'up' : 'bad'}>
        {said?.text} {said?.isDone && <a href="/alerts">All alerts</a>}
      </p>
    </form>
  )
}
