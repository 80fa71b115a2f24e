// What an alert may be called: its name ends up in the subject of a mail. And by which identifiers alerts are known.

const MAX_NAME_LENGTH = 100

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether an alert can have this identifier: any other is not worth a look, and one with a NUL the database refuses. */
export const isAlertId = (text: string): boolean => ID.test(text)

/** The trimmed name, or what is wrong with it (a text that goes on after the field's name). */
export function checkAlertName(text: string): { name: string } | { fault: string } {
  const name = text.trim()
  const length = [...name].length
  if (length < 1 || length > MAX_NAME_LENGTH) {
    return { fault: `must have 1 to ${MAX_NAME_LENGTH} characters after trimming` }
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return { fault: 'must not contain control characters' }
  return { name }
}
