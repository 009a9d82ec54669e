import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('a variant changes the named field, in every row of a list', async () => {
  const { ask, simulator } = await start()
  const { body: unchanged } = await ask('GET', annotationsPath)
  const variant = { kind: 'null', field: 'created_by.hedgehog_config' } as const
  simulator.faults.add({ operation: 'listAnnotations', effect: { variant } })

  const { body } = await ask('GET', annotationsPath)

  const { results, ...page } = unchanged as { results: { created_by: object | null }[] }
  const rows = results.map((each) => ({
    ...each,
    created_by: each.created_by && { ...each.created_by, hedgehog_config: null },
  }))
  expect(results).not.toEqual(rows)
  expect(body).toEqual({ ...page, results: rows })
})

test('a variant keeps every other byte, on every transport', async () => {
  const client = await start()
  const read = async () => (await client.send('GET', row)).text()
  const unchanged = await read()
  const operation = 'retrieveAnnotation'
  client.simulator.faults.add({ operation, effect: { variant: 'extra_field' } })

  expect(await read()).toBe(unchanged.replace(/}$/, ',"added_field":"added"}'))
})

test('a variant has the length of its bytes, also for HEAD', async () => {
  const started = await start()
  const { simulator } = started
  const variant = { kind: 'long_text', field: 'content' } as const
  simulator.faults.add({ path: '/api/projects/:id/annotations/:id', effect: { variant } })

  const response = await started.send('GET', row)
  const head = await started.send('HEAD', row)

  const text = await response.text()
  expect(JSON.parse(text).content).toHaveLength(400)
  const length = String(new TextEncoder().encode(text).length)
  expect(response.headers.get('content-length')).toBe(length)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(head.headers.get('content-length')).toBe(length)
})

test('refused requests and OPTIONS have no variants', async () => {
  const { ask, simulator } = await start()
  const missing = await ask('GET', `${annotationsPath}999/`)
  const options = await ask('OPTIONS', row)
  simulator.faults.add({ effect: { variant: 'extra_field' } })

  expect(await ask('GET', `${annotationsPath}999/`)).toEqual(missing)
  expect(JSON.stringify(await ask('OPTIONS', row))).toBe(JSON.stringify(options))
})

test('the journal has the changed response of a write', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'updateAnnotation', effect: { variant: 'extra_field' } })

  const { body } = await ask('PATCH', row, { body: { content: 'Launch' } })

  expect(body).toMatchObject({ content: 'Launch', added_field: 'added' })
  expect(simulator.journal.find().at(-1)?.response.body).toEqual(body)
})

test('the journal says what was changed', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { variant: 'new_value' } })

  const { body } = await ask('GET', row)

  const [entry] = simulator.journal.find()
  expect(body).toMatchObject({ creation_type: 'new_value', scope: 'new_value' })
  expect(entry?.reason).toBe(
    '200: the fault `fault-1` was applied: every field whose values are not documented has a new value',
  )
})
