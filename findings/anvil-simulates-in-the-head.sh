#!/usr/bin/env bash
# anvil 1.7.1 over HTTP at height 5, asked by eth_simulateV1 for three blocks: two plain ones, and one whose number is
# overridden by 32. Each holds a call of code that returns NUMBER and TIMESTAMP.
# Guess before the run: 6, 7, then 8 to 32. The execution-apis say that a block's number is its predecessor's plus one,
# that gaps are filled with empty blocks, and geth does so. Each block names its predecessor as its parent.
# Seen: 5, 6 and 32. The first simulated block has the number and the time of the head itself, no gap is filled, and
# each parentHash is zero. A token that refuses a sale in the block of a purchase sees the head's number at the first one.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18674 --quiet >/dev/null 2>&1 &
cat >ask.mjs <<'SCRIPT'
const ask = async (method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch('http://127.0.0.1:18674', { method: 'POST', headers, body })).json()).result
}
for (let left = 120; left > 0; left -= 1) {
  if (await ask('eth_chainId', []).catch(() => null)) break
  await new Promise((resolve) => setTimeout(resolve, 250))
}
for (let block = 0; block < 5; block += 1) await ask('evm_mine', [])
const head = await ask('eth_getBlockByNumber', ['latest', false])
const to = '0x00000000000000000000000000000000000000ff'
const stateOverrides = { [to]: { code: '0x435f524260205260406000f3' } }
const calls = [{ to }]
const blockStateCalls = [{ stateOverrides, calls }, { calls }, { blockOverrides: { number: '0x20' }, calls }]
const blocks = await ask('eth_simulateV1', [{ blockStateCalls }, 'latest'])
console.log(
  blocks.map(({ number, calls: [{ returnData }] }) => `${Number(number)}=${Number(returnData.slice(0, 66))}`).join(' '),
  Number(`0x${blocks[0].calls[0].returnData.slice(66)}`) === Number(head.timestamp) ? 'at the time of the head' : 'later',
  blocks.every(({ parentHash }) => /^0x0+$/.test(parentHash)) ? 'no parents' : 'parents',
)
SCRIPT
seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = '5=5 6=6 32=32 at the time of the head no parents' ] || { echo 'The behaviour has changed.'; exit 1; }
