#!/usr/bin/env bash
# hardhat 2.28.0, ganache 7.9.2 and anvil 1.7.1 over HTTP. A block has a log without topics (LOG0), the next one a log
# with one topic. Each node is asked for logs by no `topics`, by [], by [null] and by [null, null].
# Guess before the run: all do as geth, where a place with null needs a topic there: 2, 2, 1 and 0 logs.
# Seen: hardhat and ganache answer so. anvil answers 2, 2, 2 and 2: a place with null needs no topic there. A bot that
# leaves logs without topics out by [null] is tested on anvil with logs that no node of a live network gives it.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent \
  hardhat@2.28.0 ganache@7.9.2 @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
echo 'module.exports = { solidity: "0.8.28" }' >hardhat.config.js
HARDHAT_DISABLE_TELEMETRY_PROMPT=true node node_modules/.bin/hardhat node --port 18671 >/dev/null 2>&1 &
node node_modules/.bin/ganache --server.port 18672 --logging.quiet >/dev/null 2>&1 &
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18673 --quiet >/dev/null 2>&1 &
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$2\",\"params\":$3}" "http://127.0.0.1:$1"; }
result() { node -pe 'const { result } = JSON.parse(require("fs").readFileSync(0,"utf8")); '"$1"; }
seen=''
for port in 18671 18672 18673; do
  for _ in $(seq 240); do ask "$port" eth_chainId '[]' >/dev/null 2>&1 && break || sleep 0.5; done
  from=$(ask "$port" eth_accounts '[]' | result 'result[0]')
  # Constructors that run LOG0, and LOG1 with the topic 0xaa.
  for code in 0x60006000a000 0x60aa60006000a100; do
    ask "$port" eth_sendTransaction "[{\"from\":\"$from\",\"gas\":\"0x30d40\",\"data\":\"$code\"}]" >/dev/null
    ask "$port" evm_mine '[]' >/dev/null
  done
  for topics in '' ',"topics":[]' ',"topics":[null]' ',"topics":[null,null]'; do
    seen+="$(ask "$port" eth_getLogs "[{\"fromBlock\":\"0x1\",\"toBlock\":\"latest\"$topics}]" | result 'result.length') "
  done
  seen+='; '
done
echo "$seen"
[ "$seen" = '2 2 1 0 ; 2 2 1 0 ; 2 2 2 2 ; ' ] || { echo 'The behaviour has changed.'; exit 1; }
