import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../../src/index.ts'

const acme = '018f2b6e-0000-7000-8000-00000000000a'
const plugins = `/api/organizations/${acme}/plugins/`

function ask(simulator: Simulator, path: string, method = 'GET', body?: object) {
  return simulator.fetch(path, {
    method,
    headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** The rows of its world. */
function rowsOf({ world }: Simulator) {
  const { plugins, organizations, users, projects, annotations } = world
  return [plugins, organizations, users, projects, annotations].map((rows) => rows.list())
}

/** Writes into every object and list of a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(spoil)
  if (Array.isArray(value)) value.push('spoilt')
  else Object.assign(value, { spoilt: true, name: 'spoilt', detail: 'spoilt' })
}

test('whoever changes what the journal, why and a recording tell changes nothing else', async () => {
  const simulator = createSimulator()
  simulator.faults.add({
    operation: 'listAnnotations',
    effect: { status: 503, body: { detail: 'down' } },
  })
  const made = await ask(simulator, plugins, 'POST', { name: 'Launches', url: 'https://a.test/x' })
  await ask(simulator, '/api/projects/1/annotations/')
  const { id } = (await made.json()) as { id: number }
  simulator.addRows({
    plugins: [{ name: 'Given', organization: acme, config_schema: [{ key: 'a' }] }],
  })
  const before = rowsOf(simulator)

  spoil(simulator.journal.find())
  spoil(simulator.why('plugin', id))
  spoil(simulator.record({ keep: true }))

  expect(rowsOf(simulator)).toEqual(before)
  expect(await (await ask(simulator, '/api/projects/1/annotations/')).json()).toEqual({
    detail: 'down',
  })
  expect(made.status).toBe(201)
})
