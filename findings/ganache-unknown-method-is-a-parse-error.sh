#!/usr/bin/env bash
# ganache 7.9.2 over HTTP, asked for a method that it lacks, and for the logs of a block hash that it does not know.
# Guess before the run: -32601 (method not found), and an error for the logs, as EIP-234 asks for an unknown hash.
# Seen: -32700, the code of JSON-RPC for text that is no JSON; and an empty list, as of a block without logs.
# Whoever reads codes takes a lack of the node for a fault of the request, and a block of another branch for an empty one.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$node" 2>/dev/null || true; rm -rf "$folder"' EXIT
node=''
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent ganache@7.9.2 2>/dev/null
npx --no-install ganache --server.port 18545 --logging.quiet >/dev/null 2>&1 &
node=$!
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" http://127.0.0.1:18545; }
for _ in $(seq 120); do ask eth_chainId '[]' >/dev/null 2>&1 && break || sleep 0.5; done
code=$(ask eth_getBlockReceipts '["latest"]' | grep -o '"code":-[0-9]*')
logs=$(ask eth_getLogs "[{\"blockHash\":\"0x$(printf '12%.0s' $(seq 32))\"}]" | grep -o '"result":.*')
seen="$code $logs"
echo "$seen"
[ "$seen" = '"code":-32700 "result":[]}' ] || { echo 'The behaviour has changed.'; exit 1; }
