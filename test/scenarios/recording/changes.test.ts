import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, scenarioReport } from '../../../src/index.ts'
import { annotationRow } from '../../support/api/annotation.ts'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { recordAndReplay, summarizeSteps } from '../../support/scenarios/recordings.ts'
import { start } from '../../support/transports/start.ts'

/** The world `default` with other keys. */
const worldOf = (...keys: readonly object[]) => ({
  ...createSimulator().world.toJSON(),
  keys: keys.map((key) => ({ value: 'phx_of_ci', user: 1, scopes: ['*'], ...key })),
})

test('a row that was added without a request becomes a step with its id', async () => {
  const { simulator, ask } = await start()
  const { id } = simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
  await ask('GET', `${annotations}${id}/`)

  const scenario = await recordAndReplay(simulator)

  const row = annotationRow({ id, content: 'Launch', scope: 'project' })
  expect(summarizeSteps(scenario)).toEqual([
    { rows: { annotations: [row] } },
    `GET ${annotations}${id}/`,
  ])
})

test('added rows refer to each other by their ids', async () => {
  const { simulator, ask } = await start()
  const { projects } = simulator.world.add({ projects: [{ name: 'Docs' }] })
  const [project] = projects as number[]
  const key = simulator.keys.issue({ label: 'docs', projects: [project as number] })
  simulator.world.add({
    annotations: [
      { content: 'One', project },
      { content: 'Two', project },
    ] as never,
  })
  await ask('GET', `/api/projects/${project}/annotations/`, { key })

  const scenario = await recordAndReplay(simulator, { world: 'default' })

  expect(scenario.steps).toMatchObject([
    { rows: { projects: [{ id: project, name: 'Docs' }] } },
    { rows: { keys: [{ label: 'docs', projects: [project] }] } },
    { rows: { annotations: [{ content: 'One', project }] } },
    { rows: { annotations: [{ content: 'Two', project }] } },
    { as: 'docs', path: `/api/projects/${project}/annotations/` },
  ])
  expect(JSON.stringify(scenario)).not.toContain(key)
})

test('an added organization has its id again in a replay', async () => {
  const { simulator, ask } = await start()
  const { organizations } = simulator.world.add({ organizations: [{ name: 'Docs' }] })
  const [id] = organizations as string[]
  simulator.world.organizations.update(id as string, { name: 'Docs and more' })
  await ask('GET', `/api/organizations/${id}/`)

  const { scenario } = simulator.record()

  expect(scenario.steps).toMatchObject([
    { rows: { organizations: [{ id, name: 'Docs' }] } },
    { update: { organizations: [{ id, name: 'Docs and more' }] } },
    { path: `/api/organizations/${id}/` },
  ])
})

test('updates and deletions without a request become steps', async () => {
  const { simulator, ask } = await start()
  const { body } = await ask('POST', annotations, { body: { content: 'Launch' } })
  const { id } = body as { id: number }
  simulator.world.annotations.update(id, { content: 'Launch day' })
  simulator.world.annotations.update(2, { deleted: true })
  simulator.world.plugins.update(21, { config_schema: { $now: 'x' } })
  simulator.world.users.add({ hedgehog_config: { $now: 'x' } })
  await ask('GET', annotations)
  simulator.world.annotations.delete(id)
  simulator.keys.revoke('phx_none')
  await ask('GET', `${annotations}${id}/`)

  const scenario = await recordAndReplay(simulator)

  const literal = { $literal: { $now: 'x' } }
  expect(summarizeSteps(scenario)).toEqual([
    `POST ${annotations}`,
    { update: { annotations: [{ id: { $saved: 'annotation_id' }, content: 'Launch day' }] } },
    { update: { annotations: [{ id: 2, deleted: true }] } },
    { update: { plugins: [{ id: 21, config_schema: literal }] } },
    { rows: { users: [expect.objectContaining({ hedgehog_config: literal })] } },
    `GET ${annotations}`,
    { delete: { annotations: [{ $saved: 'annotation_id' }] } },
    { revoke: 'none' },
    `GET ${annotations}{annotation_id}/`,
  ])
})

test('the edits of a fault are recorded after the request that triggered them', async () => {
  const { simulator, ask } = await start()
  simulator.faults.add({
    operation: 'listAnnotations',
    when: { times: 1 },
    effect: { edit: [{ rows: { annotations: [{ content: 'By another client' }] } }] },
  })
  await ask('GET', annotations)
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator)

  expect(scenario.steps).toMatchObject([
    { method: 'GET' },
    { rows: { annotations: [{ content: 'By another client' }] } },
    { method: 'GET' },
  ])
})

test('the body of a fault is recorded as it is, without its secrets', async () => {
  const { simulator, ask } = await start()
  const body = { detail: { $now: 'x' }, token: 'canary-token' }
  simulator.faults.add({ when: { times: 1 }, effect: { status: 503, body } })
  await ask('GET', annotations)

  const { steps } = await recordAndReplay(simulator)

  const recorded = { detail: { $literal: { $now: 'x' } }, token: 'replaced-secret-1' }
  expect(steps).toMatchObject([{ fault: { effect: { body: recorded } } }, { method: 'GET' }])
})

test('personal data and keys in added rows are replaced, and the responses match', async () => {
  const { simulator, ask } = await start()
  const person = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@canary.test' }
  const { id } = simulator.world.users.add(person)
  const key = simulator.keys.issue({ label: 'grace', user: id })
  simulator.world.annotations.add({ content: `By Grace Hopper, grace@canary.test, ${key}` })
  await ask('GET', annotations)

  const { scenario } = simulator.record()
  simulator.reset()

  for (const canary of ['Grace', 'Hopper', 'grace@canary.test', key]) {
    expect.soft(JSON.stringify(scenario)).not.toContain(canary)
  }
  expect(scenarioReport(await simulator.run(scenario))).toContain('4 of 4 steps passed')
})

test('resets and restored snapshots are recorded in place', async () => {
  const { simulator, ask } = await start()
  await ask('POST', annotations, { body: { content: 'Kept' } })
  const saved = simulator.snapshot()
  await ask('POST', annotations, { body: { content: 'Tried' } })
  simulator.restore(saved)
  await ask('GET', annotations)
  simulator.reset()
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator)
  await recordAndReplay(simulator, {}, { entries: [4] })

  expect(summarizeSteps(scenario)).toEqual([
    `POST ${annotations}`,
    `POST ${annotations}`,
    { world: expect.objectContaining({ annotations: expect.any(Array) }) },
    `GET ${annotations}`,
    { world: expect.objectContaining({ annotations: expect.any(Array) }) },
    `GET ${annotations}`,
  ])
})

test('a replaced world is recorded as a whole, without the values of its keys', async () => {
  const { simulator, ask } = await start()
  await ask('GET', annotations)
  simulator.replaceWorld('empty')
  await ask('GET', annotations)
  simulator.world.annotations.add({ content: 'Gone soon' })
  simulator.reset()
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator, { world: 'default' })

  expect(JSON.stringify(scenario)).not.toContain('phx_')
  expect(scenario.steps.map((step) => Object.keys(step)[0])).toEqual([
    'title',
    'world',
    'title',
    'rows',
    'reset',
    'title',
  ])
})

test('changes of the clock are recorded, and a running clock keeps running', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { simulator, ask } = await start({ clock: 'real' })
  await ask('GET', annotations)
  simulator.clock.set('2024-06-01T00:00:00Z')
  simulator.clock.advance({ hours: 1 })
  await ask('GET', annotations)
  simulator.clock.tick('2025-01-01T00:00:00Z')
  await ask('GET', annotations)
  simulator.clock.release()
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator)

  expect(scenario.clock).toBeUndefined()
  expect(summarizeSteps(scenario)).toEqual([
    `GET ${annotations}`,
    { clock: '2024-06-01T00:00:00Z' },
    { clock: '2024-06-01T01:00:00Z' },
    `GET ${annotations}`,
    { clock: { mode: 'ticking', now: '2025-01-01T00:00:00Z' } },
    `GET ${annotations}`,
    { clock: 'real' },
    `GET ${annotations}`,
  ])
})

test('a key without a label gets one in the recording, from its issue to after its revocation', async () => {
  const { simulator, ask } = await start()
  const key = simulator.keys.issue({ scopes: ['annotation:read'] })
  await ask('GET', `${annotations}1/`, { key })
  await ask('POST', annotations, { key, body: {} })
  simulator.keys.revoke(key)
  await ask('GET', `${annotations}1/`, { key })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.steps).toMatchObject([
    { rows: { keys: [expect.not.objectContaining({ value: expect.anything() })] } },
    { as: 'replaced-key-1', expect: { status: 200 } },
    { as: 'replaced-key-1', expect: { status: 403 } },
    { revoke: 'replaced-key-1' },
    {
      as: 'replaced-key-1',
      expect: { status: 401, exact_body: { code: 'authentication_failed' } },
    },
  ])
  expect(JSON.stringify(scenario)).not.toContain(key)
})

test('keys of a world without labels are those of the replay, also after the world is replaced', async () => {
  const [key, other] = ['phx_without_a_label', 'phx_another_one_without']
  const { simulator, ask } = await start({ world: worldOf({ value: key }, { value: other }) })
  await ask('GET', `${annotations}1/`, { key })
  simulator.replaceWorld(worldOf({ value: other }))
  await ask('GET', `${annotations}1/`, { key: other })
  await ask('GET', `${annotations}1/`, { key })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.steps).toMatchObject([
    { as: 'replaced-key-1', expect: { status: 200 } },
    { world: { keys: [{ label: 'replaced-key-2' }] } },
    { as: 'replaced-key-2', expect: { status: 200 } },
    { as: 'replaced-key-1', expect: { status: 401 } },
  ])
  expect(JSON.stringify(scenario)).not.toContain(key)
})

test('no key without a label gets the label that an earlier recording gave to another one', async () => {
  const [key, issued] = ['phx_without_a_label', 'phx_issued_without_a_label']
  const { simulator, ask } = await start({
    world: worldOf({ value: key }, { value: 'phx_own', label: 'replaced-key-1' }),
  })
  await ask('GET', `${annotations}1/`, { key })
  simulator.keys.issue({ value: issued, scopes: ['plugin:read'] })
  simulator.keys.issue({ value: 'phx_later', label: 'replaced-key-2', scopes: ['plugin:read'] })
  await ask('GET', `${annotations}1/`, { key: issued })
  await ask('GET', `${annotations}1/`, { key: 'phx_own' })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.world).toMatchObject({
    keys: [{ label: 'replaced-key-3' }, { label: 'replaced-key-1' }],
  })
  expect(scenario.steps).toMatchObject([
    { as: 'replaced-key-3', expect: { status: 200 } },
    { rows: { keys: [{ label: 'replaced-key-5' }] } },
    { rows: { keys: [{ label: 'replaced-key-2' }] } },
    { as: 'replaced-key-5', expect: { status: 403 } },
    { as: 'replaced-key-1', expect: { status: 200 } },
  ])
})

test('the short value of a key that was issued is replaced, too', async () => {
  const { simulator, ask } = await start()
  simulator.keys.issue({ value: 'k-1', user: 1 })
  await ask('GET', `${annotations}1/`, { key: 'k-1' })
  simulator.keys.revoke('k-1')
  await ask('GET', `${annotations}1/`, { key: 'k-1' })

  const scenario = await recordAndReplay(simulator)

  expect(JSON.stringify(scenario)).not.toContain('k-1"')
})

test('a short key is replaced where it is a key, and the same word elsewhere stays', async () => {
  const { simulator, ask } = await start({ world: worldOf({ value: 'api' }) })
  await ask('POST', annotations, { key: 'api', body: { content: 'api', scope: 'project' } })
  await ask('GET', `${annotations}?search=API`, { key: 'api' })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.world).toMatchObject({ keys: [{ value: 'replaced-key-1' }] })
  expect(scenario.steps).toMatchObject([
    { as: 'replaced-key-1', path: annotations, body: { content: 'api' } },
    { as: 'replaced-key-1', path: `${annotations}?search=API` },
  ])
})

test('a label that contains secrets has the same replacement in the world and in a step', async () => {
  const { simulator, ask } = await start({ world: worldOf({ label: 'phx_of_ci, token=t0ken1' }) })
  await ask('GET', `${annotations}1/`, { key: 'phx_of_ci' })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.world).toMatchObject({
    keys: [{ label: 'replaced-key-1, token=replaced-secret-3' }],
  })
  expect(scenario.steps).toMatchObject([{ as: 'replaced-key-1, token=replaced-secret-3' }])
})

test('a recording of a sandbox starts after its keys were generated', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)
  const key = keys[0]?.value as string

  await ask('POST', annotations, { key, body: {} })
  sandbox?.reset()
  await ask('GET', annotations, { key })

  expect(sandbox?.record().scenario.steps).toMatchObject([
    { method: 'POST' },
    { reset: true },
    { method: 'GET' },
  ])
})
