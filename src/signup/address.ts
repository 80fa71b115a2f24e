// Pure. The mail addresses that may sign up: ASCII only. Other characters could be folded into another account's address,
// or end a header of a mail. An international domain has an ASCII form.
import { z } from 'zod'

/** The longest address that SMTP allows. */
const MAX_LENGTH = 254
/** The longest part before the @. */
const MAX_LOCAL_LENGTH = 64
/** No address of a machine, such as 10.0.0.7, and no name without a dot: such a mail could reach the operator's own. */
const PUBLIC_DOMAIN = /@.*\.[a-z][a-z0-9-]*$/i
/** The form that browsers check. */
const ADDRESS = z
  .email({ pattern: z.regexes.html5Email })
  .max(MAX_LENGTH)
  .refine((email) => email.indexOf('@') <= MAX_LOCAL_LENGTH && PUBLIC_DOMAIN.test(email))

/** The trimmed address; null for any other text. */
export function readEmail(text: string): string | null {
  const { success, data } = ADDRESS.safeParse(text.trim())
  return success ? data : null
}
