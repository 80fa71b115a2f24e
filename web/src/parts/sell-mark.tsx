// The mark of a token that cannot be sold, or only at a loss; nothing where no sale was tried.
import type { ComponentChildren } from 'preact'
import { foreign, percent } from '../format.ts'
import { CAUTION_TAX_PCT, type TaxedCheck, worstTaxPct } from '../safety/sale.ts'

type Marked = TaxedCheck & { sellable: boolean | null; vouch: { reason: string } | null }

export function SellMark({ check }: { check: Marked }) {
  const mark = markOf(check)
  return (
    <>
      {mark}
      {mark && check.vouch && (
        <span class="faint" title={foreign(check.vouch.reason, 200)}>
          {' '}
          The operator vouches for it
        </span>
      )}
    </>
  )
}

function markOf(check: Marked) {
  if (check.sellable === false) return <Mark tone="danger">Cannot be sold</Mark>
  const tax = worstTaxPct(check)
  return tax !== null && tax >= CAUTION_TAX_PCT ? <Mark tone="care">Tax {percent(tax)}</Mark> : null
}

const Mark = ({ tone, children }: { tone: 'danger' | 'care'; children: ComponentChildren }) => (
  <span class="flags">
    <span class={`flag ${tone}`}>{children}</span>
  </span>
)
