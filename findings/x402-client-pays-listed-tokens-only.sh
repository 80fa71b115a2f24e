#!/usr/bin/env bash
# @x402/core 2.27.0 and @x402/evm 2.27.0, whose client is registered for `eip155:*`, asked to pay 1 unit of a token that
# is not in its own list, and then 2 dollars of USDC on Base.
# Guess before the run: a client that is registered for the scheme and network signs what the server asks for.
# Seen: it refuses both before it signs. It pays tokens of its own list, up to $1, until `spendControls` says otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @x402/core@2.27.0 @x402/evm@2.27.0 viem@2.57.1 2>/dev/null
cat >ask.mjs <<'SCRIPT'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const sign = async (asset, amount, spendControls) => {
  const config = { schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }], spendControls }
  const accepts = [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset,
      amount,
      payTo: `0x${'b'.repeat(40)}`,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ]
  const required = { x402Version: 2, resource: { url: 'https://api.example/' }, accepts }
  return x402Client.fromConfig(config).createPaymentPayload(required).then(
    () => 'signs',
    (error) => (/spend ?controls|cap|max/i.test(error.message) ? 'refuses' : error.message),
  )
}
const other = `0x${'a'.repeat(40)}`
const seen = [
  await sign(other, '1'),
  await sign(other, '1', { allowedAssets: true }),
  await sign(USDC, '1000'),
  await sign(USDC, '2000000'),
]
console.log(seen.join(' '))
SCRIPT
seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = 'refuses signs signs refuses' ] || { echo 'The behaviour has changed.'; exit 1; }
