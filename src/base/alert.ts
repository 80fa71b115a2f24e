// What an alert may be called: its name ends up in the subject of a mail.

const MAX_NAME_LENGTH = 100

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
