#!/usr/bin/env bash
# viem 2.57.20, ethers 6.17.0 and web3-eth-abi 4.4.1, asked for the topic of one event that Solidity writes with `uint`:
# `event Transfer(address indexed from, address indexed to, uint value)`, and for the selector of a function with `uint`.
# Guess before the run: `uint` is an alias of `uint256`, and the ABI hashes the canonical type, so all give 0xddf252ad and
# 0xa9059cbb, or refuse a text that they do not read.
# Seen: ethers does. viem gives two answers to one text: 0xddf252ad after `parseAbiItem`, and 0x930a61a5, a topic that no
# log has, from `toEventSelector`, which drops names and `indexed` but keeps the alias. web3 hashes the text as it is,
# with its words. None of the three says a word. A filter by such a topic finds nothing, for ever.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent viem@2.57.20 ethers@6.17.0 web3-eth-abi@4.4.1 2>/dev/null
cat >ask.mjs <<'SCRIPT'
import { EventFragment, FunctionFragment } from 'ethers'
import { parseAbiItem, toEventSelector, toFunctionSelector } from 'viem'
import { encodeEventSignature, encodeFunctionSignature } from 'web3-eth-abi'
const event = 'event Transfer(address indexed from, address indexed to, uint value)'
const call = 'function transfer(address to, uint amount)'
const short = (topic) => topic.slice(0, 10)
console.log(
  'viem', short(toEventSelector(parseAbiItem(event))), short(toEventSelector(event)),
  toFunctionSelector(parseAbiItem(call)), toFunctionSelector(call),
  'ethers', short(EventFragment.from(event).topicHash), FunctionFragment.from(call).selector,
  'web3', short(encodeEventSignature(event)), encodeFunctionSignature(call),
)
SCRIPT
seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = 'viem 0xddf252ad 0x930a61a5 0xa9059cbb 0x6cb927d8 ethers 0xddf252ad 0xa9059cbb web3 0x27483826 0xa3924195' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
