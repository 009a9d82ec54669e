import { expect, test } from 'vitest'
import { start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const live = { profile: 'live' } as const

test('a key in the body leads to its sandbox, as one in the header and in the query does', async () => {
  const { ask, simulator } = await start(live)
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  const parts = new FormData()
  parts.set('personal_api_key', 'phx_mine')
  parts.set('content', 'In parts')

  const answers = [
    await ask('POST', list, { key: 'phx_mine', body: { content: 'By header' } }),
    await ask('POST', list, {
      key: null,
      body: { content: 'By body', personal_api_key: 'phx_mine' },
    }),
    await ask('POST', list, {
      key: null,
      raw: 'content=By+form&personal_api_key=phx_mine',
      headers: form,
    }),
    await ask('POST', list, { key: null, raw: parts }),
    await ask('POST', `${list}?personal_api_key=phx_mine`, {
      key: null,
      body: { content: 'By query' },
    }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
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

test('the header goes before the body, and the body before the query', async () => {
  const { ask, simulator } = await start(live)
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  const body = { content: 'Launch', personal_api_key: 'phx_mine' }

  await ask('POST', list, { body })
  await ask('POST', `${list}?personal_api_key=phx_mine`, {
    key: null,
    body: { ...body, personal_api_key: 'phx_all' },
  })
  await ask('POST', `${list}?personal_api_key=phx_all`, { key: null, body })

  expect(simulator.journal.find()).toHaveLength(2)
  expect(simulator.sandboxes.get(id)?.journal.find()).toHaveLength(1)
})

test('where the policy has keys in the header only, none stands elsewhere', async () => {
  const { ask, simulator } = await start()
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  simulator.faults.add({ key: 'phx_all', effect: { error: 'throttled' } })
  const body = { content: 'Launch', personal_api_key: 'phx_all' }

  const answers = [
    await ask('GET', `${list}?personal_api_key=phx_mine`, { key: null }),
    await ask('POST', list, { key: null, body: { ...body, personal_api_key: 'phx_mine' } }),
    await ask('GET', `${list}?personal_api_key=phx_all`, { key: null }),
    await ask('POST', list, { key: null, body }),
  ]

  expect(answers.map(({ body }) => (body as { code: string }).code)).toEqual(
    Array(4).fill('not_authenticated'),
  )
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
  expect(simulator.journal.find().map(({ key }) => key)).toEqual([null, null, null, null])
})

test('the policies of the sandbox decide which methods there are', async () => {
  const { ask, simulator } = await start({ policies: { 'keys.places': 'header_body_query' } })
  simulator.sandboxes.create({ profile: 'live', keys: { all: 'phx_mine' } })

  const put = { content: 'Put', personal_api_key: 'phx_mine' }
  const { status } = await ask('PUT', `${list}1/`, { key: null, body: put })

  expect(status).toBe(200)
})

test('a rule about a key strikes whoever sends it, in the header, the body or the query', async () => {
  const { ask, simulator } = await start(live)
  simulator.faults.add({ key: 'phx_all', effect: { error: 'throttled' } })
  simulator.actors.add({
    after: { key: 'annotation:read' },
    steps: [{ create: 'annotations', row: { content: 'Theirs' } }],
  })
  const body = (key: string) => ({ key: null, body: { personal_api_key: key } })

  const answers = [
    await ask('GET', list),
    await ask('POST', list, body('phx_all')),
    await ask('GET', `${list}?personal_api_key=phx_all`, { key: null }),
    await ask('POST', list, { key: null, raw: 'personal_api_key=phx_all', headers: form }),
    await ask('POST', list, body('phx_annotation_read')),
  ]

  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 403])
  expect(simulator.world.annotations.list().at(-1)?.content).toBe('Theirs')
})
