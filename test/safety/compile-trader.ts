// Compiles src/safety/sale/Trader.sol: `npx tsx test/safety/compile-trader.ts` writes src/safety/sale/trader.json. A test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { compileSolidity } from '../zoo/compile.ts'

const folder = new URL('../../src/safety/sale/', import.meta.url)

/** The code of both contracts: what is laid over an address, and what a constructor runs. */
export function compileTrader(): { trader: string; launch: string } {
  const source = readFileSync(new URL('Trader.sol', folder), 'utf8')
  const { Trader, Launch } = compileSolidity({ 'Trader.sol': source })
  return { trader: Trader?.runtime ?? '', launch: Launch?.creation ?? '' }
}

if (process.argv[1]?.endsWith('compile-trader.ts'))
  writeFileSync(new URL('trader.json', folder), `${JSON.stringify(compileTrader(), null, 2)}\n`)
