import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const live = { profile: 'live' } as const

test('a key in the header or the query selects its sandbox, and one in the body does not', async () => {
  const { ask, simulator } = await start(live)
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })

  const responses = [
    await ask('POST', annotationsPath, { key: 'phx_mine', body: { content: 'By header' } }),
    await ask('POST', `${annotationsPath}?personal_api_key=phx_mine`, {
      key: null,
      body: { content: 'By query' },
    }),
    await ask('POST', annotationsPath, {
      key: null,
      body: { content: 'By body', personal_api_key: 'phx_mine' },
    }),
  ]

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 401])
  const inner = simulator.sandboxes.get(id)
  expect(
    inner?.world.annotations
      .list()
      .map(({ content }) => content)
      .slice(-2),
  ).toEqual(['By header', 'By query'])
  expect(inner?.journal.find().map(({ key }) => key?.label)).toEqual(['all', 'all'])
  expect(simulator.world.annotations.count).toBe(8)
  expect(simulator.journal.find()).toMatchObject([
    { response: { status: 401 }, key: { label: null, value: 'phx_…' } },
  ])
})

test('under the setting of header keys, keys in the body and the query are ignored', async () => {
  const { ask, simulator } = await start()
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  simulator.faults.add({ key: 'phx_all', effect: { error: 'throttled' } })
  const body = { content: 'Launch', personal_api_key: 'phx_all' }

  const responses = [
    await ask('GET', `${annotationsPath}?personal_api_key=phx_mine`, { key: null }),
    await ask('POST', annotationsPath, {
      key: null,
      body: { ...body, personal_api_key: 'phx_mine' },
    }),
    await ask('GET', `${annotationsPath}?personal_api_key=phx_all`, { key: null }),
    await ask('POST', annotationsPath, { key: null, body }),
  ]

  expect(responses.map(({ body }) => (body as { code: string }).code)).toEqual(
    Array(4).fill('not_authenticated'),
  )
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
  expect(simulator.journal.find().map(({ key }) => key)).toEqual([null, null, null, null])
})

test('the settings of the selected sandbox decide which methods exist', async () => {
  const { ask, simulator } = await start({ settings: { 'keys.places': 'header_body_query' } })
  simulator.sandboxes.create({ profile: 'live', keys: { all: 'phx_mine' } })

  const url = `${annotationsPath}1/?personal_api_key=phx_mine`
  const { status } = await ask('PUT', url, { key: null, body: { content: 'Put' } })

  expect(status).toBe(200)
})

test('a fault rule for a key applies to keys in the header, the body and the query', async () => {
  const { ask, simulator } = await start(live)
  simulator.faults.add({ key: 'phx_all', effect: { error: 'throttled' } })
  simulator.faults.add({
    key: 'annotation:read',
    effect: { edit: [{ rows: { annotations: [{ content: 'Theirs' }] } }] },
  })
  const body = (key: string) => ({ key: null, body: { personal_api_key: key } })

  const responses = [
    await ask('GET', annotationsPath),
    await ask('POST', annotationsPath, body('phx_all')),
    await ask('GET', `${annotationsPath}?personal_api_key=phx_all`, { key: null }),
    await ask('POST', annotationsPath, {
      key: null,
      raw: 'personal_api_key=phx_all',
      headers: form,
    }),
    await ask('POST', annotationsPath, body('phx_annotation_read')),
  ]

  expect(responses.map(({ status }) => status)).toEqual([429, 429, 429, 429, 403])
  expect(simulator.world.annotations.list().at(-1)?.content).toBe('Theirs')
})
