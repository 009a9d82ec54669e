import { expect } from 'vitest'
import { invalid, notFound, refusal } from '../../support/api/errors.ts'
import { socketTest, start } from '../../support/lanes/start.ts'

const faults = '/__admin/faults'
const list = '/api/projects/1/annotations/'
const asOperator = { key: null }

socketTest('a rule is added, listed with its counters, and removed', async () => {
  const { ask } = await start()
  const rule = {
    operation: 'listAnnotations',
    when: { times: 1 },
    effect: { error: 'throttled' },
  }
  const added = {
    id: 'fault-1',
    ...rule,
    phase: 'before',
    preset: null,
    matched: 0,
    applied: 0,
    warning: null,
  }

  expect(await ask('POST', faults, { ...asOperator, body: rule })).toEqual({
    status: 201,
    body: [added],
  })
  expect(await ask('GET', list)).toEqual(
    refusal(429, 'throttled_error', 'throttled', 'Request was throttled.'),
  )
  expect(await ask('GET', list)).toMatchObject({ status: 200 })
  expect(await ask('GET', faults, asOperator)).toEqual({
    status: 200,
    body: [{ ...added, matched: 2, applied: 1 }],
  })
  expect(await ask('DELETE', `${faults}/fault-1`, asOperator)).toEqual({
    status: 204,
    body: undefined,
  })
  expect(await ask('DELETE', `${faults}/fault-1`, asOperator)).toEqual(
    notFound('Fault fault-1 not found: it was never added, or was removed.', 'id'),
  )
})

socketTest('a preset adds its rules, and clearing removes all rules', async () => {
  const { ask } = await start()

  const added = await ask('POST', faults, { ...asOperator, body: { preset: 'read-only' } })
  const refused = await ask('POST', list, { body: {} })
  const cleared = await ask('DELETE', faults, asOperator)

  expect(added).toMatchObject({
    status: 201,
    body: [{ preset: 'read-only', method: ['POST', 'PUT', 'PATCH', 'DELETE'] }],
  })
  expect(refused).toMatchObject({ status: 403 })
  expect(cleared).toEqual({ status: 204, body: undefined })
  expect(await ask('GET', faults, asOperator)).toEqual({ status: 200, body: [] })
  expect(await ask('POST', list, { body: {} })).toMatchObject({ status: 201 })
})

socketTest(
  'an invalid rule is refused with the field that is wrong, and no rule is added',
  async () => {
    const { ask, simulator } = await start()
    const add = (body: unknown) => ask('POST', faults, { ...asOperator, body })

    expect(await add({ effect: { explode: true } })).toEqual(
      invalid(
        'effect.explode',
        'invalid_input',
        'Failed to add a fault: expected an effect of error, status, drop, stale, cut_bytes, slow_bytes_per_s, delay_ms, got "explode".',
      ),
    )
    expect(await add({ phase: 'before', effect: { cut_bytes: 1 } })).toEqual(
      invalid(
        'phase',
        'invalid_input',
        'Failed to add a fault. Nothing was changed.\n  phase: expected mid-body for cut_bytes, got "before"',
      ),
    )
    expect(await add(undefined)).toMatchObject({ status: 400 })
    expect(simulator.faults.list()).toEqual([])
  },
)

socketTest(
  'a rule that can never apply is added, and its warning suggests the right operation',
  async () => {
    const { ask } = await start()
    const body = { operation: 'listAnotations', effect: { drop: true } }

    const warning =
      'It can never apply: there is no operation "listAnotations". Did you mean "listAnnotations"?'
    expect(await ask('POST', faults, { ...asOperator, body })).toMatchObject({
      status: 201,
      body: [{ warning }],
    })
  },
)

socketTest('each sandbox has its own faults, at its own URL', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const key = keys.find(({ scopes }) => scopes?.includes('*'))?.value ?? null
  const body = { effect: { status: 418 } }

  await ask('POST', `/__sandbox/${id}${faults}`, { ...asOperator, body })

  expect(await ask('GET', list, { key })).toMatchObject({ status: 418 })
  expect(await ask('GET', list)).toMatchObject({ status: 200 })
  expect(await ask('GET', faults, asOperator)).toEqual({ status: 200, body: [] })
})

socketTest(
  'a rule above the limit of 1,000 is refused with a 429 that says what to do',
  async () => {
    const { ask, simulator } = await start()
    for (let count = 0; count < 1_000; count++) simulator.faults.add({ effect: { drop: true } })
    const body = { effect: { status: 503 } }

    const detail =
      'Failed to add a fault: there can be at most 1000 rules. Remove some, or clear them all.'
    expect(await ask('POST', faults, { ...asOperator, body })).toEqual(
      refusal(429, 'throttled_error', 'throttled', detail),
    )
  },
)
