// The mark of a token that cannot be sold, or only at a loss; nothing where no sale was tried.
import { percent } from '../format.ts'
import { CAUTION_TAX_PCT, type TaxedCheck, worstTaxPct } from '../safety/sale.ts'

export function SellMark({ check }: { check: TaxedCheck & { sellable: boolean | null } }) {
  if (check.sellable === false) return <span class="flag danger">Cannot be sold</span>
  const tax = worstTaxPct(check)
  return tax !== null && tax >= CAUTION_TAX_PCT ? <span class="flag care">Tax {percent(tax)}</span> : null
}
