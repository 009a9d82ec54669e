import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('a mutant changes the named field, in every row of a list', async () => {
  const { ask, simulator } = await start()
  const { body: unchanged } = await ask('GET', annotationsPath)
  const mutate = { kind: 'null', field: 'created_by.hedgehog_config' } as const
  simulator.faults.add({ operation: 'listAnnotations', effect: { mutate } })

  const { body } = await ask('GET', annotationsPath)

  const { results, ...page } = unchanged as { results: { created_by: object | null }[] }
  const rows = results.map((each) => ({
    ...each,
    created_by: each.created_by && { ...each.created_by, hedgehog_config: null },
  }))
  expect(results).not.toEqual(rows)
  expect(body).toEqual({ ...page, results: rows })
})

test('a slow mutant delays one request of an operation only', async () => {
  const { simulator } = await start()

  simulator.faults.add({ preset: 'mutate:listAnnotations=slow' })

  expect(simulator.faults.list()).toMatchObject([
    { operation: 'listAnnotations', when: { times: 1 }, effect: { mutate: 'slow' } },
  ])
})

test('a mutant keeps every other byte, on every transport', async () => {
  const client = await start()
  const read = async () => (await client.send('GET', row)).text()
  const unchanged = await read()
  const operation = 'retrieveAnnotation'
  client.simulator.faults.add({ operation, effect: { mutate: 'extra_field' } })

  expect(await read()).toBe(unchanged.replace(/}$/, ',"added_field":"added"}'))
})

test('a mutant has the length of its bytes, also for HEAD', async () => {
  const started = await start()
  const { simulator } = started
  const mutate = { kind: 'right_to_left', field: 'content' } as const
  simulator.faults.add({ path: '/api/projects/:id/annotations/:id', effect: { mutate } })

  const response = await started.send('GET', row)
  const head = await started.send('HEAD', row)

  const text = await response.text()
  expect(JSON.parse(text).content).toBe('نص من اليمين إلى اليسار (טקסט, 1.0)')
  const length = String(new TextEncoder().encode(text).length)
  expect(response.headers.get('content-length')).toBe(length)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(head.headers.get('content-length')).toBe(length)
})

test('the journal has the mutated response of a write', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'updateAnnotation', effect: { mutate: 'extra_field' } })

  const { body } = await ask('PATCH', row, { body: { content: 'Launch' } })

  expect(body).toMatchObject({ content: 'Launch', added_field: 'added' })
  expect(simulator.journal.find().at(-1)?.response.body).toEqual(body)
})

test('refused requests and OPTIONS are not mutated', async () => {
  const { ask, simulator } = await start()
  const missing = await ask('GET', `${annotationsPath}999/`)
  const options = await ask('OPTIONS', row)
  simulator.faults.add({ effect: { mutate: 'key_order' } })

  expect(await ask('GET', `${annotationsPath}999/`)).toEqual(missing)
  expect(JSON.stringify(await ask('OPTIONS', row))).toBe(JSON.stringify(options))
})

test('every time in milliseconds, and in whole seconds', async () => {
  const { ask, simulator } = await start()
  simulator.world.annotations.update(1, { date_marker: '2024-06-01T09:00:00Z' })
  const times = async () => {
    const { body } = await ask('GET', row)
    const { date_marker, created_at } = body as Record<string, string>
    return [date_marker, created_at]
  }
  const [, created = ''] = await times()

  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { mutate: 'milliseconds' } })
  expect(await times()).toEqual(['2024-06-01T09:00:00.000Z', created.replace(/\d{3}Z$/, 'Z')])
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { mutate: 'seconds' } })
  expect(await times()).toEqual(['2024-06-01T09:00:00Z', created.replace(/\.\d+Z$/, 'Z')])
})

test('the journal has the mutated response, and says what was changed', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { mutate: 'new_value' } })

  const { body } = await ask('GET', row)

  const [entry] = simulator.journal.find()
  expect(entry?.response.body).toEqual(body)
  expect(body).toMatchObject({ creation_type: 'new_value', scope: 'new_value' })
  expect(entry?.reason).toBe(
    '200: the fault `fault-1` was applied: every field whose values are not documented has a new value',
  )
})
