import { expect, test } from 'vitest'
import { connect } from '../../../src/control/connect.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

const journal = '/__admin/journal'

test('the journal is listed, filtered and cleared', async () => {
  const { ask, control, simulator } = await serve()
  await ask('GET', annotationsPath)
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere')

  const ids = async (query: string) => {
    const { body } = await control('GET', `${journal}${query}`)
    return (body as { id: number }[]).map(({ id }) => id)
  }

  expect(await control('GET', journal)).toEqual({
    status: 200,
    body: JSON.parse(JSON.stringify(simulator.journal.find())),
  })
  expect(await ids('?operation=createAnnotation')).toEqual([2])
  expect(await ids('?status=4xx')).toEqual([3])
  expect(await ids('?status=200')).toEqual([1])
  expect(await ids('?key=all&limit=2')).toEqual([2, 3])
  expect(await ids('?unmatched=true')).toEqual([3])
  expect(await ids('?since=2024-06-15T12:00:01Z')).toEqual([])
  expect(await control('DELETE', journal)).toEqual({ status: 204, body: undefined })
  expect(await ids('')).toEqual([])
})

const filters: readonly [query: string, attr: string, detail: string][] = [
  ['?status=abc', 'status', 'status: expected a status such as 404, or a class'],
  ['?operation=listAnotations', 'operation', 'Did you mean listAnnotations?'],
  ['?since=yesterday', 'since', 'since: expected an ISO 8601 time'],
  ['?limit=0', 'limit', 'limit: expected at least 1, got 0'],
  ['?limit=many', 'limit', 'limit: expected number, got "many"'],
  ['?unmatched=yes', 'unmatched', 'unmatched: expected boolean, got "yes"'],
  ['?operations=listAnnotations', 'operations', 'operations: unknown field.'],
]

test.each(filters)(
  'the invalid filter %s is refused with its field, and the journal stays',
  async (query, attr, detail) => {
    const { ask, control, simulator } = await serve()
    await ask('GET', annotationsPath)

    for (const path of [journal, `${journal}/har`]) {
      expect.soft(await control('GET', `${path}${query}`)).toMatchObject({
        status: 400,
        body: { type: 'validation_error', detail: expect.stringContaining(detail), attr },
      })
    }
    expect(simulator.journal.find()).toHaveLength(1)
  },
)

test('a response is explained by the rule of each of its parts', async () => {
  const { ask, control, simulator, origin } = await serve()
  await ask('GET', `${annotationsPath}99/`)
  const expected = JSON.parse(JSON.stringify(await simulator.explain(1)))

  expect(await control('GET', `${journal}/1/reasons`)).toEqual({ status: 200, body: expected })
  expect(await connect(origin).explain(1)).toEqual(expected)
  expect(await connect(origin).explain({ id: 1 })).toEqual(expected)
  expect(await control('GET', `${journal}/7/reasons`)).toMatchObject({
    status: 404,
    body: { attr: 'id', detail: 'Entry 7 not found: it never existed, or was removed.' },
  })
})

test('requests to the control API never appear in the journal, even for unknown paths', async () => {
  const { control, simulator } = await serve()
  const { id } = simulator.sandboxes.create()

  await control('GET', journal)
  await control('GET', '/__admin/nowhere')
  await control('PATCH', journal)
  await control('GET', `/__sandbox/${id}${journal}`)
  await control('GET', `/__sandbox/${id}/__admin/nowhere`)

  expect(simulator.journal.find()).toEqual([])
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
})
