// Reads secrets out of files: for each secret setting, `NAME_FILE` may name a file in place of the value. Input: the
// environment. Output: the environment with the values, and a problem per faulty file. No problem has a path or a
// content, because a secret may have been put in the wrong variable.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { codeOf } from './json.ts'

/** Settings whose value may give access to something. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_POOL_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'HISTORY_URL',
  'RPC_URL',
  'CHAINS',
  'HEADS_URL',
  'SMTP_URL',
  'SUMMARY_API_KEY',
  'X402_NODE_URL',
  'X402_FACILITATOR_AUTH',
  'ASSAY_KEY',
] as const

const MOST_BYTES = 64 * 1024

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

/** The environment with the secrets that files hold; the values are trimmed. */
export function readSecretFiles(environment: Readonly<Record<string, string>>): {
  environment: Record<string, string>
  problems: string[]
} {
  const read = { ...environment }
  const problems: string[] = []
  for (const name of SECRETS) {
    const setting = `${name}_FILE`
    const path = environment[setting]?.trim()
    if (path === undefined) continue
    if (name in environment) {
      problems.push(`${setting}: cannot be set together with ${name}`)
      continue
    }
    const found = readSecret(path)
    if ('problem' in found) problems.push(`${setting}: the file ${found.problem}`)
    else read[name] = found.value
  }
  return { environment: read, problems }
}

function readSecret(path: string): { value: string } | { problem: string } {
  try {
    // Opening a pipe without a writer would never return.
    if (!statSync(path).isFile()) return { problem: 'is no ordinary file' }
    const value = readBounded(path)?.trim()
    if (value === undefined) return { problem: `is larger than ${MOST_BYTES / 1024} KiB` }
    if (value === '') return { problem: 'is empty' }
    return /[\r\n\0]/.test(value) ? { problem: 'has more than one line' } : { value }
  } catch (error) {
    return { problem: REASONS[codeOf(error)] ?? 'cannot be read' }
  }
}

/** The text of the file; undefined if it is too large. */
function readBounded(path: string): string | undefined {
  const bytes = Buffer.alloc(MOST_BYTES + 1)
  const file = openSync(path, 'r')
  try {
    let size = 0
    for (let count = -1; count !== 0 && size < bytes.length; size += count)
      count = readSync(file, bytes, size, bytes.length - size, null)
    return size > MOST_BYTES ? undefined : bytes.toString('utf8', 0, size)
  } finally {
    closeSync(file)
  }
}
