#!/usr/bin/env bash
# anvil 1.7.1 over HTTP, asked by eth_call to run code that ends with INVALID (0xfe, an assert of old compilers), and code
# that ends with REVERT.
# Guess before the run: both are refusals of the contract, so both have code 3 or -32000, as other nodes say.
# Seen: REVERT is code 3. INVALID is -32603, the code of JSON-RPC for an error inside the server, without data.
# Whoever asks again after an internal error asks for ever; whoever reads only code 3 misses that a sale is refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$node" 2>/dev/null || true; rm -rf "$folder"' EXIT
node=''
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18546 --quiet >/dev/null 2>&1 &
node=$!
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_call\",\"params\":[{\"data\":\"$1\"},\"latest\"]}" http://127.0.0.1:18546; }
for _ in $(seq 120); do ask 0x00 >/dev/null 2>&1 && break || sleep 0.5; done
code() { ask "$1" | grep -oE '"code":-?[0-9]+' | cut -d: -f2; }
seen="INVALID $(code 0xfe), REVERT $(code 0x60006000fd)"
echo "$seen"
[ "$seen" = 'INVALID -32603, REVERT 3' ] || { echo 'The behaviour has changed.'; exit 1; }
