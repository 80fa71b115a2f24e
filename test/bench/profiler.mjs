// Loaded into a server before its program: on its parent's message it begins and ends a profile of the processor. JSON
// gets its own frames, because a profile counts built-ins as part of their caller.
import { Session } from 'node:inspector/promises'

for (const name of ['parse', 'stringify']) {
  const plain = JSON[name]
  const framed = { [`json_${name}`]: (...given) => plain.apply(JSON, given) }
  JSON[name] = framed[`json_${name}`]
}

const session = new Session()
session.connect()

process.on('message', async (word) => {
  if (word === 'begin') {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 250 })
    await session.post('Profiler.start')
    process.send('begun')
  } else {
    const { profile } = await session.post('Profiler.stop')
    process.send(profile)
  }
})
process.channel.unref()
