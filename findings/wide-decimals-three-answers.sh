#!/usr/bin/env bash
# viem 2.57.20, ethers 6.17.0 and web3-eth-abi 4.4.1, decoding what a token says whose source has `uint256 public decimals`
# of 274, by ERC-20's own ABI, where `decimals` is a uint8. The same for a token whose `paused` is a uint256 of 2.
# Guess before the run: a value that the type cannot hold is an error in each, as Solidity's own decoder reverts.
# Seen: 274 in viem, 18 in ethers, which keeps the low byte, and an error in web3 alone. For 2 as a bool viem and web3
# give an error, and ethers says true. A token thus has 18 decimals, as most, in one library, and 274 in the next.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent viem@2.57.20 ethers@6.17.0 web3-eth-abi@4.4.1 2>/dev/null
cat >ask.mjs <<'SCRIPT'
import { AbiCoder } from 'ethers'
import { decodeAbiParameters, numberToHex } from 'viem'
import { decodeParameters } from 'web3-eth-abi'
const libraries = {
  viem: (type, data) => decodeAbiParameters([{ type }], data)[0],
  ethers: (type, data) => AbiCoder.defaultAbiCoder().decode([type], data)[0],
  web3: (type, data) => decodeParameters([type], data)[0],
}
const answer = (decode, type, value) => {
  try {
    return String(decode(type, numberToHex(value, { size: 32 })))
  } catch {
    return 'error'
  }
}
const seen = Object.entries(libraries).map(
  ([name, decode]) => `${name} ${answer(decode, 'uint8', 274)} ${answer(decode, 'bool', 2)}`,
)
console.log(seen.join('; '))
SCRIPT
seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = 'viem 274 error; ethers 18 true; web3 error error' ] || { echo 'The behaviour has changed.'; exit 1; }
