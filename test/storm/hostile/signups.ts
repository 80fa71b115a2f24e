// Attacks with sign-ups: each request comes from a made-up network, asks for a mail, or guesses a link.
import { type Attack, repeat } from './attack.ts'

/** Rows of limits and requests that sign-ups may leave: 90 requests a minute, three rows of limits each. */
const MOST_ROWS = 1_000

export const signupAttacks: Attack[] = [
  {
    name: 'sign-ups and guessed links from made-up networks',
    setting: 'proxy',
    short: true,
    allowed: /^(202|400|404|429|503|closed)$/,
    needed: /^429$/,
    run: async (target) => {
      const { client, stage, tally } = target
      await repeat(target, { times: 10_000, atOnce: 10 }, async (round) => {
        const isGuess = round % 2 === 0
        const body = isGuess ? { token: String(round).padStart(43, 'A') } : { email: `a${round}@storm.example` }
        await client.ask({
          path: isGuess ? '/v1/signup/confirm' : '/v1/signup',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `2001:db8:${(round >> 8).toString(16)}:${(round & 255).toString(16)}::1`,
          },
          body: JSON.stringify(body),
        })
      })
      const text = `SELECT (SELECT count(*) FROM rate_limit WHERE key LIKE 'signup%')::int
        + (SELECT count(*) FROM signup_request)::int AS rows`
      const { rows } = await stage.pool.query<{ rows: number }>(text)
      const [left] = rows
      if (!left || left.rows > MOST_ROWS) tally.fault(`sign-ups left ${left?.rows} rows`)
    },
  },
]
