#!/usr/bin/env bash
# viem 2.38.0, ethers 6.15.0 and web3-utils 4.3.3, asked for the units of an amount with more decimals than its token has.
# Guess before the run: all three refuse it, or all three cut it off.
# Seen: viem rounds half up, so 0.9999999 of a token of six decimals is a whole one, more than a wallet may have; ethers
# throws NUMERIC_FAULT; web3 cuts it off, and of 0.0000005 nothing is left: its answer is an empty text, and no 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent viem@2.38.0 ethers@6.15.0 web3-utils@4.3.3 2>/dev/null
cat >units.mjs <<'JS'
import { parseUnits } from 'viem'
import { parseUnits as ofEthers } from 'ethers'
import { toWei } from 'web3-utils'
const said = (convert) => {
  try {
    return JSON.stringify(String(convert()))
  } catch (error) {
    return error.code
  }
}
for (const amount of ['0.9999999', '0.0000005'])
  console.log(amount, said(() => parseUnits(amount, 6)), said(() => ofEthers(amount, 6)), said(() => toWei(amount, 'mwei')))
JS
seen=$(node units.mjs)
echo "$seen"
[ "$seen" = '0.9999999 "1000000" NUMERIC_FAULT "999999"
0.0000005 "1" NUMERIC_FAULT ""' ] || { echo 'The behaviour has changed.'; exit 1; }
