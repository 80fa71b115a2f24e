// Where an alert goes: by mail, or into a chat, whose URL the person pastes.

/** The channels to choose from. Webhooks are made by a program, which keeps their secret. */
const CHOICES = ['email', 'slack', 'discord', 'telegram'] as const
export type Channel = (typeof CHOICES)[number]

export const CHANNELS = {
  email: 'Mail',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
} as const

const isChannel = (text: unknown): text is Channel => CHOICES.some((channel) => channel === text)

/** The channel and the URL of the form, as the API takes them. */
export function readChannel(form: FormData): { notificationChannel: Channel; url?: string } {
  const textOf = (name: string) => String(form.get(name) ?? '').trim()
  const channel = form.get('channel')
  if (!isChannel(channel) || channel === 'email') return { notificationChannel: 'email' }
  if (channel !== 'telegram') return { notificationChannel: channel, url: textOf('url') }
  const url = `https://api.telegram.org/bot${textOf('token')}/sendMessage?chat_id=${textOf('chat')}`
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
      {(channel === 'slack' || channel === 'discord') && (
        <Secret key={channel} name="url" label={`Webhook URL of ${CHANNELS[channel]}`} />
      )}
      {channel === 'telegram' && (
        <>
          <Secret name="token" label="Token of the bot" />
          <label>
            Number of the chat <input name="chat" required autocomplete="off" size={16} />
          </label>
        </>
      )}
    </p>
  )
}

const Secret = ({ name, label }: { name: string; label: string }) => (
  <label>
    {label} <input name={name} type="password" required autocomplete="off" size={32} />
  </label>
)
