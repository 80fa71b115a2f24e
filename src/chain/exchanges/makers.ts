// The market makers whose trades are read. Each logs its trades from contracts that the preset names with the kind `maker`.
// Another one needs a file beside these, and its line here.
import { AIRSWAP_EVENTS } from './airswap.ts'
import { BANCOR_EVENTS } from './bancor.ts'
import { CLIPPER_EVENTS } from './clipper.ts'
import { DEFI_PLAZA_EVENTS } from './defi-plaza.ts'
import { ELFOMO_EVENTS } from './elfomo.ts'
import { FLUID_LITE_EVENTS } from './fluid-lite.ts'
import { PARASWAP_RFQ_EVENTS } from './paraswap-rfq.ts'
import { PROP_AMM_EVENTS } from './prop-amm.ts'
import { SADDLE_EVENTS } from './saddle.ts'
import { SKY_PSM_EVENTS } from './sky-psm.ts'
import { TESSERA_EVENTS } from './tessera.ts'
import { WOMBAT_EVENTS } from './wombat.ts'
import { WOOFI_EVENTS } from './woofi.ts'
import { ZERO_EX_EVENTS } from './zero-ex.ts'

export const MAKER_EVENTS = {
  ...AIRSWAP_EVENTS,
  ...BANCOR_EVENTS,
  ...CLIPPER_EVENTS,
  ...DEFI_PLAZA_EVENTS,
  ...ELFOMO_EVENTS,
  ...FLUID_LITE_EVENTS,
  ...PARASWAP_RFQ_EVENTS,
  ...PROP_AMM_EVENTS,
  ...SADDLE_EVENTS,
  ...SKY_PSM_EVENTS,
  ...TESSERA_EVENTS,
  ...WOMBAT_EVENTS,
  ...WOOFI_EVENTS,
  ...ZERO_EX_EVENTS,
} as const
