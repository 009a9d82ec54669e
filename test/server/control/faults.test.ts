import { expect, test } from 'vitest'
import { notFound, refusal } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

const faults = '/__admin/faults'

test('a rule is added, listed with its counters, and removed', async () => {
  const { ask, control } = await serve()
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
    waiting: [],
  }

  expect(await control('POST', faults, { body: rule })).toEqual({
    status: 200,
    body: [added],
  })
  expect(await ask('GET', annotationsPath)).toEqual(
    refusal(429, 'throttled_error', 'throttled', 'Request was throttled.'),
  )
  expect(await ask('GET', annotationsPath)).toMatchObject({ status: 200 })
  expect(await control('GET', faults)).toEqual({
    status: 200,
    body: [{ ...added, matched: 2, applied: 1 }],
  })
  expect(await control('DELETE', `${faults}/fault-1`)).toEqual({
    status: 204,
    body: undefined,
  })
  expect(await control('DELETE', `${faults}/fault-1`)).toEqual(
    notFound('Fault fault-1 not found: it never existed, or was removed.', 'id'),
  )
})

test('a preset adds its rules, and clearing removes all rules', async () => {
  const { ask, control } = await serve()

  const added = await control('POST', faults, { body: { preset: 'read-only' } })
  const refused = await ask('POST', annotationsPath, { body: {} })
  const cleared = await control('DELETE', faults)

  expect(added).toMatchObject({
    status: 200,
    body: [{ preset: 'read-only', method: ['POST', 'PUT', 'PATCH', 'DELETE'] }],
  })
  expect(refused).toMatchObject({ status: 403 })
  expect(cleared).toEqual({ status: 204, body: undefined })
  expect(await control('GET', faults)).toEqual({ status: 200, body: [] })
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ status: 201 })
})
