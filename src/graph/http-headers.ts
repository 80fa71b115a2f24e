// Headers of answers: the rest of the caller's limits, and the reason of a refusal.
import { leftOf } from '../access/charge.ts'
import type { AssayError, LimitState } from '../base/errors.ts'

type Headers = Record<string, string>

/** `ratelimit-policy` and `ratelimit` of draft-ietf-httpapi-ratelimit-headers; none if the account is not limited. */
export function limitHeaders(limits: readonly LimitState[]): Headers {
  if (limits.length === 0) return {}
  return {
    'ratelimit-policy': limits.map(({ name, limit, windowSeconds: w }) => `"${name}";q=${limit};w=${w}`).join(', '),
    ratelimit: limits.map((state) => `"${state.name}";r=${leftOf(state)};t=${state.resetSeconds}`).join(', '),
  }
}

/** The block that an answer reflects. */
export const blockHeaders = ({ number, time }: { number: number; time: Date }): Headers => ({
  'assay-block': String(number),
  'assay-block-time': time.toISOString(),
})

/** The headers of a refusal. */
export function refusalHeaders(refusal: AssayError): Headers {
  const { code, reason, limits, block, retryAfterSeconds, allowedMethods, challenge, payment } = refusal
  return {
    ...limitHeaders(limits),
    ...payment,
    ...(block && blockHeaders(block)),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(allowedMethods.length > 0 && { allow: allowedMethods.join(', ') }),
    ...((code === 'UNAUTHORIZED' || challenge !== undefined) && {
      'www-authenticate': [
        'Bearer realm="assay"',
        ...(reason === 'bad_key' ? ['error="invalid_token"'] : []),
        ...(reason === 'scope' ? ['error="insufficient_scope"'] : []),
        ...(challenge === undefined ? [] : [challenge]),
      ].join(', '),
    }),
  }
}
