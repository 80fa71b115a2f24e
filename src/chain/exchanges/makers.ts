// The market makers whose trades are read. Each logs its trades from contracts with the kind `maker`. Another one needs a
// file beside these, and its line here.
import { AIRSWAP } from './airswap.ts'
import { BANCOR } from './bancor.ts'
import { CLIPPER } from './clipper.ts'
import { DEFI_PLAZA } from './defi-plaza.ts'
import { ELFOMO } from './elfomo.ts'
import type { Exchange } from './exchange.ts'
import { FLUID_LITE } from './fluid-lite.ts'
import { PARASWAP_RFQ } from './paraswap-rfq.ts'
import { PROP_AMM } from './prop-amm.ts'
import { SADDLE } from './saddle.ts'
import { SKY_PSM } from './sky-psm.ts'
import { TESSERA } from './tessera.ts'
import { WOMBAT } from './wombat.ts'
import { WOOFI } from './woofi.ts'
import { ZERO_EX } from './zero-ex.ts'

export const MAKER = {
  about: {
    name: '[market makers](#market-makers)',
    preset: 'their contract',
    found: 'first trade of two tokens',
    seen: '16 of 16',
  },
  reserves: 'unknown',
  tradesAnyPair: true,
  events: {
    ...AIRSWAP.events,
    ...BANCOR.events,
    ...CLIPPER.events,
    ...DEFI_PLAZA.events,
    ...ELFOMO.events,
    ...FLUID_LITE.events,
    ...PARASWAP_RFQ.events,
    ...PROP_AMM.events,
    ...SADDLE.events,
    ...SKY_PSM.events,
    ...TESSERA.events,
    ...WOMBAT.events,
    ...WOOFI.events,
    ...ZERO_EX.events,
  },
  deployed: [...AIRSWAP.deployed, ...ELFOMO.deployed, ...TESSERA.deployed, ...WOOFI.deployed, ...ZERO_EX.deployed],
} as const satisfies Exchange
