#!/usr/bin/env bash
# @microsoft/fetch-event-source 2.0.1, and eventsource 4.1.0 beside it, on a stream whose connection breaks within the second
# message, after its line `id: 2` and before its end.
# Guess before the run: both ask again with `Last-Event-ID: 1`, since the HTML standard sets the last id when a message ends.
# Seen: eventsource asks with 1. fetch-event-source asks with 2, though it never delivered that message, so a server that
# continues after the id loses it.
# Effect: a server that sends `data` before `id` loses nothing with either.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @microsoft/fetch-event-source@2.0.1 eventsource@4.1.0
cat >run.mjs <<'JS'
import { createServer } from 'node:http'

const open = async (first) => {
  const asked = []
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] ?? 'none')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (asked.length > 1) return response.write('data: third\nid: 3\n\n')
    response.write(first, () => setTimeout(() => response.destroy(), 50))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${server.address().port}/`, asked }
}

// The package is made for browsers.
Object.assign(globalThis, { window: globalThis, document: { hidden: false, addEventListener() {}, removeEventListener() {} } })
const { fetchEventSource } = await import('@microsoft/fetch-event-source')
const { EventSource } = await import('eventsource')

async function withFetch(first) {
  const { url, asked } = await open(first)
  const stop = new AbortController()
  const onmessage = ({ data }) => data === 'third' && stop.abort()
  await fetchEventSource(url, { signal: stop.signal, openWhenHidden: true, onmessage, onerror: () => 10 })
  return asked[1]
}

async function withEventSource(first) {
  const { url, asked } = await open(first)
  const source = new EventSource(url)
  await new Promise((done) => {
    source.onmessage = ({ data }) => data === 'third' && done()
  })
  source.close()
  return asked[1]
}

const START = 'retry: 10\ndata: first\nid: 1\n\n'
const CUT = { 'id before data': `${START}id: 2\ndata: sec`, 'data before id': `${START}data: second\ni` }
for (const [name, text] of Object.entries(CUT))
  console.log(`${name}: fetch-event-source ${await withFetch(text)}, eventsource ${await withEventSource(text)}`)
process.exit(0)
JS
seen=$(timeout 60 node run.mjs)
echo "$seen"
[ "$seen" = $'id before data: fetch-event-source 2, eventsource 1\ndata before id: fetch-event-source 1, eventsource 1' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
