// Where an alert goes: by mail, or into a chat, whose URL the person pastes.
import { byChannel, CHAT_CHANNELS } from '../../../src/fields/channels.ts'
import { CHATS } from '../../../src/fields/chat/chats.ts'

/** The channels to choose from. Webhooks are made by a program, which keeps their secret. */
const CHOICES = ['email', ...CHAT_CHANNELS] as const
export type Channel = (typeof CHOICES)[number]

export const CHANNELS = byChannel({ email: 'Mail', webhook: 'Webhook' }, ({ name }) => name)

const isChannel = (text: unknown): text is Channel => CHOICES.some((channel) => channel === text)

/** The name of a part of a chat's URL in the form. */
const partName = (at: number): string => `part${at}`

/** The channel and the URL of the form, as the API takes them. */
export function readChannel(form: FormData): { notificationChannel: Channel; url?: string } {
  const channel = form.get('channel')
  if (!isChannel(channel) || channel === 'email') return { notificationChannel: 'email' }
  const { inputs, toUrl } = CHATS[channel]
  const url = toUrl(inputs.map((_, at) => String(form.get(partName(at)) ?? '').trim()))
  return { notificationChannel: channel, url }
}

/** The fields of the channel. Secrets are typed as passwords, so that nobody reads them over a shoulder. */
export function ChannelFields({ channel, onChannel }: { channel: Channel; onChannel: (channel: Channel) => void }) {
  const choose = (value: string) => {
    if (isChannel(value)) onChannel(value)
  }
  return (
    <p class="row">
      <label>
        Send to{' '}
        <select name="channel" value={channel} onChange={(event) => choose(event.currentTarget.value)}>
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {CHANNELS[choice]}
            </option>
          ))}
        </select>
      </label>
      {channel !== 'email' &&
        CHATS[channel].inputs.map((input, at) => (
          <ChatPart key={`${channel} ${input.label}`} name={partName(at)} {...input} />
        ))}
    </p>
  )
}

const ChatPart = ({ name, label, isSecret }: { name: string; label: string; isSecret: boolean }) =>
  isSecret ? (
    <label>
      {label} <input name={name} type="password" required autocomplete="off" size={32} />
    </label>
  ) : (
    <label>
      {label} <input name={name} required autocomplete="off" size={16} />
    </label>
  )
