import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/index.ts'
import { acme, pluginsPath as plugins } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

const ask = (simulator: Simulator, path: string, method = 'GET', body?: object) =>
  simulator.fetch(path, initOf(method, { body }))

/** The rows of the world. */
function rowsOf({ world }: Simulator) {
  const { plugins, organizations, users, projects, annotations } = world
  return [plugins, organizations, users, projects, annotations].map((rows) => rows.list())
}

/** Changes every object and list in a value. */
function modify(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(modify)
  if (Array.isArray(value)) value.push('modified')
  else Object.assign(value, { modified: true, name: 'modified', detail: 'modified' })
}

test('changing a result of journal.find or record changes nothing else', async () => {
  const simulator = createSimulator()
  simulator.faults.add({
    operation: 'listAnnotations',
    effect: { status: 503, body: { detail: 'down' } },
  })
  const created = await ask(simulator, plugins, 'POST', {
    name: 'Launches',
    url: 'https://a.test/x',
  })
  await ask(simulator, '/api/projects/1/annotations/')
  simulator.world.add({
    plugins: [{ name: 'Given', organization: acme, config_schema: [{ key: 'a' }] }],
  })
  const before = rowsOf(simulator)

  modify(simulator.journal.find())
  modify(simulator.record())

  expect(rowsOf(simulator)).toEqual(before)
  expect(await (await ask(simulator, '/api/projects/1/annotations/')).json()).toEqual({
    detail: 'down',
  })
  expect(created.status).toBe(201)
})

test('the journal has the sent text of a write, also after its row, its user and its dashboard item changed', async () => {
  const simulator = createSimulator()
  const path = '/api/projects/1/annotations/'
  const created = await ask(simulator, path, 'POST', { content: 'Say "é"', dashboard_item: 10 })
  const sent = (await created.json()) as { id: number; created_by: { id: number } }
  const patched = await ask(simulator, `${path}${sent.id}/`, 'PATCH', { content: 'Plain' })
  const expected = [sent, await patched.json()]
  const { annotations, users, dashboard_items } = simulator.world

  annotations.update(sent.id, { content: 'Later' })
  users.update(sent.created_by.id, { first_name: 'Other' })
  dashboard_items.update(10, { name: 'Other' })

  expect(simulator.journal.find().map(({ response }) => response.body)).toEqual(expected)
})
