#!/usr/bin/env bash
# hardhat 2.28.0, ganache 7.9.2 and anvil 1.7.1 over HTTP, asked for the block `finalized` at height 5, and again after
# `evm_revert` took back the last two blocks.
# Guess before the run: nothing of so young a chain is final, so `finalized` is block 0, as anvil says.
# Seen: hardhat and ganache name the newest block, 5, and after the revert 3: two blocks that were final are gone.
# A tool that never undoes a final block works against anvil, and cannot go on against the other two.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent \
  hardhat@2.28.0 ganache@7.9.2 @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
echo 'module.exports = { solidity: "0.8.28" }' >hardhat.config.js
HARDHAT_DISABLE_TELEMETRY_PROMPT=true node node_modules/.bin/hardhat node --port 18651 >/dev/null 2>&1 &
node node_modules/.bin/ganache --server.port 18652 --logging.quiet >/dev/null 2>&1 &
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18653 --quiet >/dev/null 2>&1 &
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$2\",\"params\":$3}" "http://127.0.0.1:$1"; }
result() { node -pe 'const { result } = JSON.parse(require("fs").readFileSync(0,"utf8")); Number(result?.number ?? result)'; }
seen=''
for port in 18651 18652 18653; do
  for _ in $(seq 240); do ask "$port" eth_chainId '[]' >/dev/null 2>&1 && break || sleep 0.5; done
  for _ in 1 2 3; do ask "$port" evm_mine '[]' >/dev/null; done
  saved=$(ask "$port" evm_snapshot '[]' | grep -oE '"result":"0x[0-9a-f]+"' | cut -d'"' -f4)
  for _ in 1 2; do ask "$port" evm_mine '[]' >/dev/null; done
  before=$(ask "$port" eth_getBlockByNumber '["finalized",false]' | result)
  ask "$port" evm_revert "[\"$saved\"]" >/dev/null
  after=$(ask "$port" eth_getBlockByNumber '["finalized",false]' | result)
  seen+="$before then $after, head $(ask "$port" eth_blockNumber '[]' | result); "
done
echo "$seen"
[ "$seen" = '5 then 3, head 3; 5 then 3, head 3; 0 then 0, head 3; ' ] || { echo 'The behaviour has changed.'; exit 1; }
