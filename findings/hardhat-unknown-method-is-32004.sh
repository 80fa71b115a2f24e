#!/usr/bin/env bash
# hardhat 2.28.0, `hardhat node`, asked for a method that it lacks, and to call a contract that reverts with data.
# Guess before the run: -32601 for the method; code 3 with the data as a text in `error.data` for the revert, as geth gives it.
# Seen: -32004 for the method, a code of EIP-1474 that providers also use for limits; -32603 for the revert, whose `error.data` is an
# object that holds the data at `data`.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$node" 2>/dev/null || true; rm -rf "$folder"' EXIT
node=''
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent hardhat@2.28.0 2>/dev/null
echo 'module.exports = { solidity: "0.8.28" }' >hardhat.config.js
HARDHAT_DISABLE_TELEMETRY_PROMPT=true npx --no-install hardhat node --port 18546 >/dev/null 2>&1 &
node=$!
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" http://127.0.0.1:18546; }
for _ in $(seq 120); do ask eth_chainId '[]' >/dev/null 2>&1 && break || sleep 0.5; done
# PUSH4 0x12345678, PUSH0, MSTORE, then 4 bytes of memory are returned as the data of a revert.
ask hardhat_setCode '["0x00000000000000000000000000000000000abcde","0x63123456785f526004601cfd"]' >/dev/null
lack=$(ask eth_getBlobSidecars '["latest"]' | node -pe 'JSON.parse(require("fs").readFileSync(0,"utf8")).error.code')
revert=$(ask eth_call '[{"to":"0x00000000000000000000000000000000000abcde"},"latest"]' |
  node -pe 'const { error } = JSON.parse(require("fs").readFileSync(0,"utf8")); `${error.code} ${typeof error.data} ${error.data.data}`')
seen="$lack; $revert"
echo "$seen"
[ "$seen" = '-32004; -32603 object 0x12345678' ] || { echo 'The behaviour has changed.'; exit 1; }
