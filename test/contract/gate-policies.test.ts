// Saved policies of the gate over REST: an account's own, by name, within its plan, and what the gate makes of them.
import { beforeAll, describe, expect, test } from 'vitest'
import { KEYS_PATH, readSigned } from '../../src/gate/sign.ts'
import { expectError, PREFIX } from '../support/rest.ts'
import { tokenAddress } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
  // Nobody checks: the gate waits for no check.
  await served.database.pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
})

const TOKEN = tokenAddress(1)
const CAREFUL = { name: 'careful', rules: 'wash_trading:block', conditions: { min_liquidity_usd: 1e12 } }

/** An account of its own, with a sender of requests. */
const owner = async (plan: 'free' | 'api' = 'api') => {
  const { authorization, id } = await served.knock({ plan })
  const { rows } = await served.database.pool.query('SELECT account_id AS id FROM api_key WHERE id = $1', [id])
  const accountId: number = rows[0].id
  const send = (method: string, path: string, body?: unknown) =>
    served.ask(path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { accountId, send }
}
const messageOf = (asked: { json: { error: { details: { field: string; message: string }[] } } }) => {
  const [fault] = asked.json.error.details
  return [fault?.field, fault?.message]
}

describe('saved policies', () => {
  test('a policy is made, shown, changed and deleted by its name', async () => {
    const { send } = await owner()
    const made = await send('POST', '/gate/policies', CAREFUL)
    const shown = { ...CAREFUL, bounds: 'standard', created_at: expect.any(String), updated_at: expect.any(String) }
    expect([made.status, made.json]).toEqual([201, shown])
    expect(made.headers.get('location')).toBe(`${PREFIX}/v1/gate/policies/careful`)
    expect((await send('GET', '/gate/policies/careful')).json).toEqual(made.json)
    expect((await send('PATCH', '/gate/policies/careful', { bounds: 'strict', rules: '' })).json).toMatchObject({
      ...{ bounds: 'strict', rules: '', conditions: CAREFUL.conditions },
    })
    await send('POST', '/gate/policies', { name: 'a' })
    const { json } = await send('GET', '/gate/policies?limit=1')
    expect([json.total, json.data[0].name, json.data[0].conditions]).toEqual([2, 'a', {}])
    expect((await send('DELETE', '/gate/policies/careful')).status).toBe(204)
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      expectError(await send(method, '/gate/policies/careful', body), 404, 'NOT_FOUND')
    expectError(await send('GET', '/gate/policies/%00'), 404, 'NOT_FOUND')
  })

  test.each([
    [{ name: 'Strict!' }, 'name', 'name must have 1 to 40 characters of a-z, 0-9, _ and -'],
    [{ name: 'a'.repeat(41) }, 'name', 'name must have 1 to 40 characters'],
    [{ name: 'strict' }, 'name', 'name must not be standard or strict, which are built in'],
    [{}, 'name', 'name is required'],
    [{ name: 'x', bounds: 'mild' }, 'bounds', 'bounds must be standard or strict'],
    [{ name: 'x', rules: 'open_power' }, 'rules', 'as in open_power:block'],
    [{ name: 'x', rules: 7 }, 'rules', 'rules must be a string'],
    [{ name: 'x', conditions: { max_risk_score: 300 } }, 'conditions.max_risk_score', 'from 0 to 100'],
    [{ name: 'x', conditions: { bought_by: [TOKEN] } }, 'conditions', 'must not name trades of wallets'],
    [{ name: 'x', actions: {} }, 'actions', 'actions is not a field here'],
  ])('%o is refused with its field and what would be right', async (body, field, problem) => {
    const { send } = await owner()
    const refused = await send('POST', '/gate/policies', body)
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(messageOf(refused)).toEqual([field, expect.stringContaining(problem)])
  })

  test('a name is taken once, and a plan bounds how many there are, also when requests race', async () => {
    const { send, accountId } = await owner('free')
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => send('POST', '/gate/policies', { name })))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403])
    const { name } = made.find(({ status }) => status === 201)?.json ?? {}
    const again = await send('POST', '/gate/policies', { name })
    expect(messageOf(again)).toEqual([
      ...['name', `name must be a new name: you have a policy ${name}, which you can change`],
    ])
    expect((await send('GET', '/me')).json.limits.gate_policies).toBe(3)
    const { rows } = await served.database.pool.query('SELECT name FROM gate_policy WHERE account_id = $1', [accountId])
    expect(rows).toHaveLength(3)
  })

  test('belong to their account, whose keys share them, and go with it', async () => {
    const [{ send, accountId }, other] = [await owner(), await owner()]
    await send('POST', '/gate/policies', CAREFUL)
    const { key } = (await send('POST', '/me/keys', { name: 'Bot' })).json
    const bot = { headers: { authorization: `Bearer ${key}` } }
    expect((await served.ask('/gate/policies/careful', bot)).status).toBe(200)
    expectError(await other.send('GET', '/gate/policies/careful'), 404, 'NOT_FOUND')
    const client = await served.database.pool.connect()
    await client.query('BEGIN')
    await client.query('DELETE FROM api_key_secret WHERE key_id IN (SELECT id FROM api_key WHERE account_id = $1)', [
      accountId,
    ])
    for (const table of ['usage_day', 'api_key'])
      await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId])
    await client.query('DELETE FROM account WHERE id = $1', [accountId])
    const { rows } = await client.query('SELECT FROM gate_policy WHERE account_id = $1', [accountId])
    await client.query('ROLLBACK')
    client.release()
    expect(rows).toEqual([])
  })
})

describe('the gate with a saved policy', () => {
  test('blocks a token outside of its conditions, and signs the policy that it applied', async () => {
    const { send } = await owner()
    await send('POST', '/gate/policies', CAREFUL)
    const { json } = await send('GET', `/gate?token=${TOKEN}&policy=careful&rules=young:allow`)
    expect(json).toMatchObject({ decision: 'block', policy: 'careful' })
    expect(json.reasons).toContainEqual({
      ...{ name: 'min_liquidity_usd', decision: 'block' },
      text: 'The policy asks for min_liquidity_usd 1000000000000',
    })
    const { keys } = await (await fetch(`${served.url}${KEYS_PATH}`)).json()
    expect(readSigned(json.signed, keys)).toMatchObject({
      rules: {
        ...{ maxCheckAgeSeconds: 3_600, conditions: { minLiquidityUsd: 1e12 } },
        findings: { wash_trading: 'block', young: 'allow' },
      },
    })
  })

  test('does for a condition what a rule of its name says', async () => {
    const { send } = await owner()
    await send('POST', '/gate/policies', { ...CAREFUL, rules: 'min_liquidity_usd:review' })
    const { json } = await send('GET', `/gate?token=${TOKEN}&policy=careful`)
    expect(json.reasons).toContainEqual(expect.objectContaining({ name: 'min_liquidity_usd', decision: 'review' }))
    await send('PATCH', '/gate/policies/careful', { conditions: { min_liquidity_usd: 0 } })
    const names = (await send('GET', `/gate?token=${TOKEN}&policy=careful`)).json.reasons
    expect(JSON.stringify(names)).not.toContain('min_liquidity_usd')
  })

  test('counts a fact that nobody knows as missing, and so never allows', async () => {
    const { send } = await owner()
    const conditions = { sellable: true, max_sell_tax_pct: 5, exclude_powers: ['mint'] }
    await send('POST', '/gate/policies', { name: 'checked', conditions })
    const { json } = await send('GET', `/gate?token=${TOKEN}&policy=checked`)
    expect(json.decision).not.toBe('allow')
    expect(json.missing).toEqual(
      expect.arrayContaining(['The policy asks for sellable true', 'The policy asks for max_sell_tax_pct 5']),
    )
  })

  test('names the policies that there are where one is unknown', async () => {
    const { send } = await owner()
    const none = await send('GET', `/gate?token=${TOKEN}&policy=careful`)
    expect(messageOf(none)[1]).toBe(
      'policy must be standard, strict or the name of a saved policy; you have saved none',
    )
    await send('POST', '/gate/policies', CAREFUL)
    for (const path of [`/gate?token=${TOKEN}&policy=other`, '/gate/backtest?policy=other'])
      expect(messageOf(await send('GET', path))).toEqual([
        ...['policy', 'policy must be standard, strict or the name of a saved policy: careful'],
      ])
  })
})
