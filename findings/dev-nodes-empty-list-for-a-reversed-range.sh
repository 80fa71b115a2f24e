#!/usr/bin/env bash
# hardhat 2.28.0, ganache 7.9.2 and anvil 1.7.1 over HTTP, asked for logs from block 3 to block 1, and for block 3's
# balance of an account by an object with the hash of the block (EIP-1898, of 2019).
# Guess before the run: the range is refused, as geth does ("invalid block range params"); the object is understood.
# Seen: all three answer the range with an empty list, so a client that exchanges the ends loses logs without a word.
# ganache refuses the object with -32700, "Cannot wrap a "object" as a json-rpc type"; the other two answer it.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent \
  hardhat@2.28.0 ganache@7.9.2 @foundry-rs/anvil-linux-amd64@1.7.1 2>/dev/null
echo 'module.exports = { solidity: "0.8.28" }' >hardhat.config.js
HARDHAT_DISABLE_TELEMETRY_PROMPT=true node node_modules/.bin/hardhat node --port 18661 >/dev/null 2>&1 &
node node_modules/.bin/ganache --server.port 18662 --logging.quiet >/dev/null 2>&1 &
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --port 18663 --quiet >/dev/null 2>&1 &
ask() { curl -s --max-time 20 -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$2\",\"params\":$3}" "http://127.0.0.1:$1"; }
read_answer() { node -pe 'const { result, error } = JSON.parse(require("fs").readFileSync(0,"utf8")); JSON.stringify(result?.hash ?? result ?? error.code)'; }
seen=''
for port in 18661 18662 18663; do
  for _ in $(seq 240); do ask "$port" eth_chainId '[]' >/dev/null 2>&1 && break || sleep 0.5; done
  for _ in 1 2 3; do ask "$port" evm_mine '[]' >/dev/null; done
  logs=$(ask "$port" eth_getLogs '[{"fromBlock":"0x3","toBlock":"0x1"}]' | read_answer)
  hash=$(ask "$port" eth_getBlockByNumber '["0x3",false]' | read_answer)
  balance=$(ask "$port" eth_getBalance "[\"0x00000000000000000000000000000000000000ff\",{\"blockHash\":$hash}]" | read_answer)
  seen+="$logs $balance; "
done
echo "$seen"
[ "$seen" = '[] "0x0"; [] -32700; [] "0x0"; ' ] || { echo 'The behaviour has changed.'; exit 1; }
