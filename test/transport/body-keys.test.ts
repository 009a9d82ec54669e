import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const live = { profile: 'live' } as const

test('a key in the body selects its sandbox, like a key in the header or the query', async () => {
  const { ask, simulator } = await start(live)
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  const parts = new FormData()
  parts.set('personal_api_key', 'phx_mine')
  parts.set('content', 'In parts')

  const responses = [
    await ask('POST', annotationsPath, { key: 'phx_mine', body: { content: 'By header' } }),
    await ask('POST', annotationsPath, {
      key: null,
      body: { content: 'By body', personal_api_key: 'phx_mine' },
    }),
    await ask('POST', annotationsPath, {
      key: null,
      raw: 'content=By+form&personal_api_key=phx_mine',
      headers: form,
    }),
    await ask('POST', annotationsPath, { key: null, raw: parts }),
    await ask('POST', `${annotationsPath}?personal_api_key=phx_mine`, {
      key: null,
      body: { content: 'By query' },
    }),
  ]

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  const inner = simulator.sandboxes.get(id)
  expect(
    inner?.world.annotations
      .list()
      .map(({ content }) => content)
      .slice(-5),
  ).toEqual(['By header', 'By body', 'By form', 'In parts', 'By query'])
  expect(inner?.journal.find().map(({ key }) => key?.label)).toEqual(Array(5).fill('all'))
  expect([simulator.world.annotations.count, simulator.journal.find()]).toEqual([8, []])
})

test('a key in the header takes precedence over the body, and the body over the query', async () => {
  const { ask, simulator } = await start(live)
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  const body = { content: 'Launch', personal_api_key: 'phx_mine' }

  await ask('POST', annotationsPath, { body })
  await ask('POST', `${annotationsPath}?personal_api_key=phx_mine`, {
    key: null,
    body: { ...body, personal_api_key: 'phx_all' },
  })
  await ask('POST', `${annotationsPath}?personal_api_key=phx_all`, { key: null, body })

  expect(simulator.journal.find()).toHaveLength(2)
  expect(simulator.sandboxes.get(id)?.journal.find()).toHaveLength(1)
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

  const put = { content: 'Put', personal_api_key: 'phx_mine' }
  const { status } = await ask('PUT', `${annotationsPath}1/`, { key: null, body: put })

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
