#!/usr/bin/env bash
# One address in five spellings, asked of viem 2.57.20, ethers 6.17.0 and web3-validator 2.0.6: is it an address?
# Guess before the run: all three agree. Capitals without a checksum are one (EIP-55); without 0x, or as an ICAP, it is none.
# Seen: they agree on small letters only. viem refuses capitals; ethers takes 40 bare digits and an ICAP; web3 takes 0X.
# Whoever checks with one of them and stores by another refuses what came in, or keeps one account under two keys.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent viem@2.57.20 ethers@6.17.0 web3-validator@2.0.6 2>/dev/null
cat >ask.mjs <<'EOF'
import { getIcapAddress, isAddress as ofEthers } from 'ethers'
import { isAddress as ofViem } from 'viem'
import { isAddress as ofWeb3 } from 'web3-validator'
const small = '0x53b99890e68641374569fabd8f6a27334d041914'
const capitals = small.slice(2).toUpperCase()
const forms = { small, capitals: `0x${capitals}`, '0X': `0X${capitals}`, bare: small.slice(2), icap: getIcapAddress(small) }
const asked = Object.entries(forms).map(([name, text]) => `${name} ${[ofViem, ofEthers, ofWeb3].map((is) => Number(is(text))).join('')}`)
console.log(asked.join(', '))
EOF
seen=$(node ask.mjs)
echo "viem, ethers, web3: $seen"
[ "$seen" = 'small 111, capitals 011, 0X 001, bare 011, icap 010' ] || { echo 'The behaviour has changed.'; exit 1; }
