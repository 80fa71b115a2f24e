// Asks the server: queries over POST, and one stream of events that stays open. Counts the charged requests.
const server = { url: '', key: '' }
export const charged = { requests: 0 }

export function connect(url, key) {
  server.url = url.replace(/\/+$/, '')
  server.key = key
}

export const isConnected = () => server.key !== ''

const send = (query, variables, more) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...more?.headers },
    body: JSON.stringify({ query, variables }),
    signal: more?.signal,
  })

/** Returns the data; throws an error with the server's words. */
export async function ask(query, variables = {}) {
  const response = await send(query, variables)
  const { data, errors, error, extensions } = await response.json()
  charged.requests += extensions?.cost?.charged ?? 0
  const message = errors?.[0]?.message ?? error?.message
  if (message) {
    const wait = response.headers.get('retry-after')
    throw new Error(wait ? `${message} Try again in ${wait} s.` : message)
  }
  return data
}

/** Calls `take` with each answer of the subscription, and goes on after its cursor when the connection breaks. */
export async function follow(query, take, tell, signal) {
  let after = null
  while (!signal.aborted) {
    try {
      const response = await send(query, { after }, { headers: { accept: 'text/event-stream' }, signal })
      if (!response.ok) {
        const { errors, error } = await response.json()
        tell(`The feed stands still: ${errors?.[0]?.message ?? error?.message}`)
        return
      }
      charged.requests += 1
      tell('The feed is live.')
      for await (const { data } of messagesOf(response)) {
        const update = data?.events
        if (!update) continue
        after = update.cursor
        take(update)
      }
    } catch {
      if (signal.aborted) return
    }
    tell('The feed was cut off and begins again.')
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
}

/** The data of the messages of a text/event-stream, as JSON. */
async function* messagesOf(response) {
  let text = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const messages = text.split('\n\n')
    text = messages.pop()
    for (const message of messages) {
      const data = message.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield JSON.parse(data.slice(6))
    }
  }
}
