// How sure a number is, in dots: a confidence is no level, and neither good nor bad.
import { CERTAINTY } from '../words.ts'

const DOTS: Readonly<Record<string, string>> = { high: '●●●', medium: '●●○', low: '●○○' }

export const Certainty = ({ of }: { of: string }) => (
  <small title={CERTAINTY[of]}>
    <span aria-hidden="true">{DOTS[of]}</span>
    <span class="hidden">{CERTAINTY[of] ?? of}</span>
  </small>
)
