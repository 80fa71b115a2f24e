#!/usr/bin/env bash
# anvil 1.7.1, trace_block and debug_traceBlockByNumber with callTracer, over one payment of 1 ether to a minimal clone.
# Guess before the run: the frame of the delegatecall has no value or 0, because nothing is paid to the implementation.
# Seen: both methods repeat the payment's value there, with the implementation as `to`, whose balance stays 0.
# Whoever sums the values of all frames counts the payment twice, and gives it to a contract that never had it.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$node" 2>/dev/null || true; rm -rf "$folder"' EXIT
node=''
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18547 --quiet >/dev/null 2>&1 &
node=$!
cat >run.mjs <<'JS'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function ask(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await (await fetch('http://127.0.0.1:18547', { method: 'POST', headers, body })).json()
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
for (let tries = 0; ; tries++) {
  try {
    await ask('eth_chainId')
    break
  } catch (error) {
    if (tries === 200) throw error
    await pause(300)
  }
}
const [from] = await ask('eth_accounts')
async function send(transaction) {
  const hash = await ask('eth_sendTransaction', { from, ...transaction })
  for (let receipt; ; await pause(50)) if ((receipt = await ask('eth_getTransactionReceipt', hash))) return receipt
}
// The init code returns the bytes that follow it.
async function deploy(code) {
  const length = (code.length / 2).toString(16).padStart(2, '0')
  return (await send({ data: `0x60${length}600c60003960${length}6000f3${code}` })).contractAddress
}
const stop = await deploy('00')
const clone = await deploy(`363d3d373d3d3d363d73${stop.slice(2)}5af43d82803e903d91602b57fd5bf3`)
const { blockNumber } = await send({ to: clone, value: '0xde0b6b3a7640000' })
const traces = await ask('trace_block', blockNumber)
const [{ result }] = await ask('debug_traceBlockByNumber', blockNumber, { tracer: 'callTracer' })
const ether = (value) => Number(BigInt(value)) / 1e18
const ofTraces = traces.filter(({ action }) => action.to === stop).map(({ action }) => `${action.callType} ${ether(action.value)}`)
const ofFrames = result.calls.filter(({ to }) => to === stop).map(({ type, value }) => `${type} ${ether(value)}`)
console.log(`trace_block ${ofTraces}, callTracer ${ofFrames}, balance ${ether(await ask('eth_getBalance', stop, 'latest'))}`)
JS
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = 'trace_block delegatecall 1, callTracer DELEGATECALL 1, balance 0' ] || { echo 'The behaviour has changed.'; exit 1; }
