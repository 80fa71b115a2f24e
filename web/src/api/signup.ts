// Signing up: the two requests of REST without a key, and whether this server lets people sign up.
import { Failure } from './ask.ts'

export const SIGNUP_PATH = '/signup'

/** Who may sign up; null: nobody. The server writes it into the page. */
export const signupMode = document.querySelector<HTMLMetaElement>('meta[name="signup"]')?.content ?? null

const WAIT_MS = 20_000

interface Reply {
  error?: { code: string; message: string }
}

/** The key that a link gives. */
export interface SignupKey {
  key: string
  email: string
  /** When it ends by itself; null: it does not. */
  expires_at: string | null
}

async function post<R>(path: string, body: object): Promise<R> {
  const response = await fetch(`/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WAIT_MS),
  }).catch(() => {
    throw new Failure('UNREACHABLE', 'The server cannot be reached. Try again in a moment.')
  })
  const reply = (await response.json().catch(() => ({}))) as Reply & R
  if (response.ok) return reply
  const { code = `HTTP_${response.status}`, message = 'The server could not do it. Try again in a moment.' } =
    reply.error ?? {}
  throw new Failure(code, message)
}

/** Asks for a mail with a link; the answer is the same for every address. Throws a `Failure`. */
export const askForLink = (email: string, invite: string): Promise<{ message: string }> =>
  post('/signup', { email, ...(invite && { invite }) })

/** Uses the token of a link up. Throws a `Failure`. */
export const confirmLink = (token: string): Promise<SignupKey> => post('/signup/confirm', { token })
