import { appendFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withSimulator } from '../../src/integrations/testing/fixtures.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { settingsOf, toTrace } from '../../src/sweep/sweep.ts'
import {
  createSweptSimulator,
  createTraceFile,
  type RunService,
  reportToRun,
  serviceVariables,
} from '../../src/sweep/swept-run.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { temporaryFile } from '../support/files.ts'

/** Makes this process one of a command that is swept. */
function startRun(
  { profile = 'documented', settings = {} }: Partial<RunService> = {},
  unchanged?: RunService['settings'],
) {
  const file = createTraceFile()
  const variables = { ...serviceVariables({ profile, settings }, unchanged), ...file.variables }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    file.remove()
  })
  return { variables, trace: () => toTrace(file.exchanges()) }
}

const remove = { method: 'DELETE' }

const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

test('a simulator of a test has the settings of the run, beneath its own, also with a profile', async () => {
  const { trace } = startRun({ settings: { 'annotations.delete.status': '403' } })
  const statuses: number[] = []
  const send = (options: object) =>
    withSimulator({ mistakes: 'off', ...options }, async ({ as }) => {
      const { status } = await as('all').fetch(`${list}1/`, remove)
      statuses.push(status)
    })
  await send({})
  await send({ profile: 'live' })
  await send({ settings: { 'annotations.delete.status': '404' } })
  const { exchanges, consulted } = trace()

  expect(statuses).toEqual([403, 403, 404])
  expect(exchanges.map(({ request, status }) => [request, status])).toEqual(
    statuses.map((status) => [`DELETE ${list}1/`, status]),
  )
  expect(consulted).toContain('annotations.delete.status')
})

test('the usual key is that of the run without a change, which has the settings of a test, too', async () => {
  const settings = { 'plugins.other.scope': 'refused' } as const
  startRun({ settings })
  const changed = createSweptSimulator().defaults.key
  startRun({ settings }, {})
  const keys = [{}, { settings }].map((options) => createSweptSimulator(options).defaults.key)

  expect([changed, ...keys]).toEqual(['phx_old', 'phx_all', 'phx_old'])
})

test('a profile that a test names replaces that of the run', async () => {
  startRun({ profile: 'live' })
  const statusOf = async (options: object) => {
    const values = await withSimulator(options, ({ simulator }) => simulator.settings.values)
    return values['annotations.delete.status']
  }
  const ofNone = await statusOf({})

  expect([ofNone, await statusOf({ profile: 'documented' })]).toEqual(['405_empty', '405'])
})

test('the value of a setting is the one that the tests had, if all had the same', async () => {
  const { trace } = startRun()
  const usual = createSimulator().settings.values
  const send = (options: object) =>
    withSimulator({ mistakes: 'off', ...options }, ({ as }) => as('all').fetch(`${list}1/`, remove))
  await send({ profile: 'live' })
  const ofOne = settingsOf(trace(), usual)['annotations.delete.status']
  await send({})

  expect([ofOne, settingsOf(trace(), usual)['annotations.delete.status']]).toEqual([
    '405_empty',
    usual['annotations.delete.status'],
  ])
})

test('tests of several workers are in the order of their names', async () => {
  const { trace } = startRun()
  const start = (name: string) => {
    const simulator = createSimulator()
    simulator.name = name
    reportToRun(simulator)
    return simulator
  }
  const [later, first] = [start('b'), start('a')]
  await later.fetch(list)
  await first.fetch(list)
  await later.fetch(`${list}1/`)

  expect(trace().exchanges.map(({ test, request }) => [test, request])).toEqual([
    ['a', `GET ${list}`],
    ['b', `GET ${list}`],
    ['b', `GET ${list}1/`],
  ])
})

test.each(['wlr', 'rwl', 'wrl'])(
  'simulators without names are in the order of what they answered, whichever wrote first: %s',
  async (order) => {
    const { trace } = startRun()
    const [writer, reader] = [createSimulator(), createSimulator()]
    for (const simulator of [writer, reader]) reportToRun(simulator)
    const body = '{"content": "Launch"}'
    const acts: Readonly<Record<string, () => Promise<Response>>> = {
      w: () => writer.fetch(list, { method: 'POST', body, headers }),
      l: () => writer.fetch(list, { headers }),
      r: () => reader.fetch(list, { headers }),
    }
    for (const act of order) await acts[act]?.()
    const { exchanges } = trace()

    expect(exchanges.map(({ request, status }) => `${status} ${request}`)).toEqual([
      `200 GET ${list}`,
      `201 POST ${list}`,
      `200 GET ${list}`,
    ])
    expect(exchanges.map(({ body }) => JSON.parse(body).count)).toEqual([6, undefined, 7])
  },
)

test('half a line of a process that was killed is skipped, also if another process writes on', async () => {
  const { trace, variables } = startRun()
  const simulator = createSimulator()
  reportToRun(simulator)
  const append = (text: string) => appendFileSync(String(variables.UNDERSTUDY_TRACE), text)
  await simulator.fetch(list)
  append('{"world": "1')
  await simulator.fetch(list)
  await simulator.fetch(`${list}1/`)
  append('{"world": "1')

  expect(trace().exchanges.map(({ request }) => request)).toEqual([`GET ${list}`, `GET ${list}1/`])
})

test('a file of settings that is none is named, and without a run nothing is written', async () => {
  const file = temporaryFile({ settings: { 'annotations.delete.status': '410' } })
  vi.stubEnv('UNDERSTUDY_SETTINGS', file)
  const refused = withSimulator(() => {})
  await expect(refused).rejects.toThrow(/is not a valid setting file\.\n.*expected one of 403, 404/)
  vi.unstubAllEnvs()

  expect(await withSimulator(({ simulator }) => simulator.settings.values)).toEqual(
    createSimulator().settings.values,
  )
})
