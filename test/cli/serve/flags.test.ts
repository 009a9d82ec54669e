import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variableName } from '../../../src/cli/command.ts'
import { flagsOf } from '../../../src/cli/flags.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const plugins = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/'

test('each flag has an environment variable', async () => {
  const state = join(temporaryFolder(), 'state.json')
  const serving = await startServe([], {
    UNDERSTUDY_HOST: '127.0.0.1',
    UNDERSTUDY_WORLD: 'empty',
    UNDERSTUDY_SEED: '1234567890123',
    UNDERSTUDY_PROFILE: 'live',
    UNDERSTUDY_SET: 'annotations.delete.status=404, paths.current=off',
    UNDERSTUDY_FAULT: '{"operation": "createPlugin", "effect": {"status": 507}}',
    UNDERSTUDY_CLOCK: 'ticking:2024-02-29T12:00:00Z',
    UNDERSTUDY_STATE: state,
    UNDERSTUDY_TOKEN: 'secret',
    UNDERSTUDY_JSON: 'TRUE',
    UNDERSTUDY_QUIET: 'Off',
  })
  const page = await fetch(serving.url + list, { headers: { authorization: 'Bearer phx_all' } })

  expect(JSON.parse(serving.printed().stdout)).toMatchObject({ url: serving.url })
  expect(await page.json()).toMatchObject({ count: 0 })
  expect((await serving.ask('DELETE', `${list}1/`)).status).toBe(404)
  expect((await serving.ask('GET', '/api/projects/@current/annotations/')).status).toBe(404)
  expect((await serving.ask('PUT', `${list}1/`, { body: {} })).status).toBe(404)
  expect((await serving.ask('GET', '/__admin/world')).status).toBe(401)
  expect((await serving.ask('POST', plugins, { body: {} })).status).toBe(507)
  const clock = await serving.ask('GET', '/__admin/clock', { key: 'secret' })
  expect(clock.body).toEqual({ mode: 'ticking', now: expect.stringMatching(/^2024-02-29T12/) })
  expect(existsSync(state)).toBe(true)
  const health = await serving.ask('GET', '/__admin/health')
  expect(health.body).toMatchObject({ world: 'state.json' })
})

test('an empty variable counts as not set', async () => {
  const flags = Object.keys(flagsOf('serve')).filter((name) => !name.startsWith('--port '))
  const variables = flags.map((name) => [variableName(name), ''])

  const { printed } = await startServe([], Object.fromEntries(variables))

  expect(printed().stdout).toContain('is serving world "default", profile "documented".')
  expect(printed().stderr).toBe('')
})

test('a flag takes precedence over its variable', async () => {
  const serving = await startServe(
    [
      ...['--world', 'default', '--profile', 'documented'],
      ...['--set', 'methods.put=on', '--set', 'paths.current=off'],
    ],
    {
      UNDERSTUDY_WORLD: 'nope.json',
      UNDERSTUDY_PROFILE: 'dead',
      UNDERSTUDY_SET: 'annotations.delete.status=404,nothing=1',
      UNDERSTUDY_FAULT: 'lost-create, failed-page',
    },
  )

  expect((await serving.ask('GET', list)).body).toMatchObject({ count: 6 })
  expect((await serving.ask('DELETE', `${list}1/`)).status).toBe(405)
  expect((await serving.ask('PUT', `${list}1/`, { body: {} })).status).toBe(200)
  expect((await serving.ask('GET', '/api/projects/@current/')).status).toBe(404)
  expect((await serving.ask('GET', '/__admin/faults')).body).toHaveLength(5)
})
