// The rules for an alert's id, and for the name of an alert or a key. A name ends up in the subject of a mail.

/** Characters of a name. */
export const MAX_NAME_LENGTH = 100

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text is a well-formed alert id. A malformed one must not reach the database, which rejects NUL. */
export const isAlertId = (text: string): boolean => ID.test(text)

/** The trimmed name, or the fault as a text that follows the field's name. */
export function checkName(text: string): { name: string } | { fault: string } {
  const name = text.trim()
  const length = [...name].length
  if (length < 1 || length > MAX_NAME_LENGTH) {
    return { fault: `must have 1 to ${MAX_NAME_LENGTH} characters after trimming` }
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return { fault: 'must not contain control characters' }
  return { name }
}
