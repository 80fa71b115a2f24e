// Tells what the gate would have saved in the past month: new tokens that it would have stopped, pulled ones and others.
const { ASSAY_URL = 'http://127.0.0.1:4000', ASSAY_KEY = '' } = process.env
const { POLICY = 'standard', RULES = 'risk_score@70:block', AGE_HOURS = '24' } = process.env

const query = new URLSearchParams({ policy: POLICY, age_hours: AGE_HOURS, ...(RULES && { rules: RULES }) })
const headers = { authorization: `Bearer ${ASSAY_KEY}` }
const response = await fetch(`${ASSAY_URL}/v1/gate/backtest?${query}`, { headers })
const { error, kept_since: since, pulled, others, untested } = await response.json()
if (error) throw new Error(error.message)

const tell = ({ tokens, blocked, reviewed }) => `${blocked} of ${tokens} (and held ${reviewed} for review)`
const lines =
  since === null
    ? ['Nothing is known yet: no facts of past blocks are kept.']
    : [
        `Asked at an age of ${AGE_HOURS} h, this policy would have blocked ${tell(pulled)} that were pulled,`,
        `and ${tell(others)} that were not.`,
      ]
process.stdout.write([...lines, ...untested.map((text) => `Not tested: ${text}`), ''].join('\n'))
