import { expect, onTestFinished, test, vi } from 'vitest'
import { playWhole } from '../../../src/import/played-scenario.ts'
import { createSimulator, type Scenario, scenarioReport } from '../../../src/index.ts'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { recordAndReplay, summarizeSteps } from '../../support/scenarios/recordings.ts'
import { start } from '../../support/transports/start.ts'

/** The methods of requests, and the kinds of changes. */
const kindsOf = ({ steps }: Scenario) =>
  steps.map((step) => ('method' in step ? step.method : Object.keys(step)[0]))

/** The world `default` with other keys. */
const worldOf = (...keys: readonly object[]) => ({
  ...createSimulator().world.toJSON(),
  keys: keys.map((key) => ({ value: 'phx_of_ci', user: 1, scopes: ['*'], ...key })),
})

test('what changed before the first request is in the world that a recording starts with', async () => {
  const { simulator, ask } = await start()
  const { id } = simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
  const { organizations } = simulator.world.add({ organizations: [{ name: 'Docs' }] })
  const [organization] = organizations as string[]
  const key = simulator.keys.issue({ label: 'docs', projects: [1] })
  await ask('GET', `${annotations}${id}/`, { key })

  const scenario = await recordAndReplay(simulator)

  expect(summarizeSteps(scenario)).toEqual([`GET ${annotations}${id}/`])
  expect(scenario.world).toMatchObject({
    organizations: expect.arrayContaining([expect.objectContaining({ id: organization })]),
    annotations: expect.arrayContaining([expect.objectContaining({ id, content: 'Launch' })]),
    keys: expect.arrayContaining([expect.objectContaining({ label: 'docs', projects: [1] })]),
  })
  expect(JSON.stringify(scenario)).not.toContain(key)
})

test('what changed between two requests is in the world that the next one met', async () => {
  const { simulator, ask } = await start()
  const { body } = await ask('POST', annotations, { body: { content: 'Launch' } })
  const { id } = body as { id: number }
  simulator.world.annotations.update(id, { content: 'Launch day' })
  simulator.world.annotations.update(2, { deleted: true })
  simulator.world.plugins.update(21, { config_schema: { $now: 'x' } })
  await ask('GET', annotations)
  await ask('GET', `${annotations}${id}/`)
  simulator.world.annotations.delete(id)
  simulator.keys.revoke('phx_none')
  await ask('GET', `${annotations}${id}/`, { key: 'phx_none' })
  await ask('POST', annotations, { body: { content: 'Another' } })

  const scenario = await recordAndReplay(simulator)

  expect(scenario.world).toBe('default')
  expect(kindsOf(scenario)).toEqual(['POST', 'world', 'GET', 'GET', 'world', 'GET', 'POST'])
})

test('what requests wrote that are not recorded is in the world that the next one met', async () => {
  const { simulator, ask } = await start()
  await ask('GET', annotations)
  const { body } = await ask('POST', annotations, { body: { content: 'Launch' } })
  await ask('GET', `${annotations}${(body as { id: number }).id}/`)

  const scenario = await recordAndReplay(simulator, {}, { entries: [1, 3] })

  expect(kindsOf(scenario)).toEqual(['GET', 'world', 'GET'])
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

  expect(kindsOf(scenario)).toEqual(['GET', 'world', 'GET'])
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
  expect(scenarioReport(await simulator.run(scenario))).toContain('1 of 1 steps passed')
})

test('a reset is recorded as one, and other rows as the world that they make', async () => {
  const { simulator, ask } = await start()
  await ask('POST', annotations, { body: { content: 'Tried' } })
  simulator.reset()
  await ask('GET', annotations)
  simulator.replaceWorld('empty')
  await ask('GET', annotations)
  simulator.world.annotations.add({ content: 'Gone soon' })
  simulator.reset()
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator)
  await recordAndReplay(simulator, {}, { entries: [4] })

  expect(JSON.stringify(scenario)).not.toContain('phx_')
  expect(kindsOf(scenario)).toEqual(['POST', 'reset', 'GET', 'world', 'GET', 'reset', 'GET'])
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
    { clock: '2024-06-01T01:00:00Z' },
    `GET ${annotations}`,
    { clock: { mode: 'ticking', now: '2025-01-01T00:00:00Z' } },
    `GET ${annotations}`,
    { clock: 'real' },
    `GET ${annotations}`,
  ])
})

test('a key without a label has the same label before and after its revocation', async () => {
  const { simulator, ask } = await start()
  const key = simulator.keys.issue({ scopes: ['annotation:read'] })
  await ask('GET', `${annotations}1/`, { key })
  await ask('POST', annotations, { key, body: {} })
  simulator.keys.revoke(key)
  await ask('GET', `${annotations}1/`, { key })

  const scenario = await recordAndReplay(simulator)

  const revoked = { status: 401, exact_body: { code: 'authentication_failed' } }
  expect(scenario.steps).toMatchObject([
    { as: 'replaced-key-11', expect: { status: 200 } },
    { as: 'replaced-key-11', expect: { status: 403 } },
    { world: {} },
    { as: 'replaced-key-11', expect: revoked },
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
    { world: { keys: [{}, {}, { label: 'replaced-key-5' }, { label: 'replaced-key-2' }] } },
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

test.each([
  ['real', 0, 31, [{ advance: { seconds: 31 } }]],
  ['real', 20, 11, [{ clock: expect.anything() }, { advance: { seconds: 11 } }]],
  ['2026-06-15T12:00:00Z', 0, 31, []],
] as const)('a 429 on the clock %s, then %j s that are set and %j s that pass', async (...row) => {
  const [clock, set, passed, waits] = row
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { simulator, ask } = await start({ clock })
  const effect = { status: 429, headers: { 'retry-after': '30' } }
  simulator.faults.add({ when: { times: 1 }, effect })
  await ask('GET', annotations)
  if (set > 0) simulator.clock.advance({ seconds: set })
  vi.advanceTimersByTime(passed * 1_000)
  await ask('GET', annotations)

  const scenario = await recordAndReplay(simulator)
  vi.advanceTimersByTime(86_400_000)

  expect(scenario.steps.filter((step) => !('method' in step || 'fault' in step))).toEqual(waits)
  expect((await playWhole(scenario, createSimulator())).mistakes).toEqual([])
})
