import { expect, test } from 'vitest'
import type { StepResult } from '../../../src/scenarios/run/result.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const storyFile = (steps: object[], setup: object = { world: 'default' }) =>
  temporaryFile({ title: 'Story', ...setup, steps })

const request = (method: string, path: string, expected: object, body?: object) => ({
  ...{ as: 'all', method, path, expect: expected },
  ...(body && { body }),
})

const remove = request('DELETE', `${list}1/`, { status: 405 })

test('a difference that follows from an earlier one names the setting of that one', async () => {
  const replace = request('PUT', `${list}1/`, { status: 200 }, { content: 'New' })
  const read = request('GET', `${list}1/`, { body: { content: 'New' } })

  const { stdout } = await run(['replay', storyFile([replace, read])])

  expect(stdout.match(/due to setting methods\.put = off/g)).toHaveLength(2)
})

const source = "in the service's source of May to July 2024"

test.each([
  [{ results: [{ id: 5 }, { id: 4 }, {}] }, 3],
  [{ next: { $match: 'text' } }, 1],
])('a number that no named value has decides a page with %j', async (body, limit) => {
  const file = storyFile([request('GET', list, { body })])

  const { code, stdout } = await run(['replay', file])

  expect(code).toBe(1)
  expect(stdout).toContain(
    `due to setting annotations.list.limit.default = 1000 (${source}); with ${limit} this step would pass\n  0 of 1`,
  )
})

test('settings that decide together are one sentence', async () => {
  const replace = request('PUT', `${list}1/`, { status: 405 }, {})

  const { stdout } = await run(['replay', storyFile([replace], { profile: 'live' })])

  expect(stdout).toContain(
    `        got      200
      partly due to settings methods.put = on (${source}) and methods.undocumented = refused_to_scoped_keys (${source}); with off and 405 this step would pass
  0 of 1 steps passed, 1 failed.
`,
  )
})

test('the reason of the response comes before the settings, also of a server', async () => {
  const file = storyFile([
    request('GET', '/api/projects/1/anotations/', { status: 200 }),
    request('GET', `${list}?serach=Incident`, { body: { count: 1 } }),
    request('GET', list, { body: { count: 6 } }),
  ])

  const { stdout } = await run(['replay', file])
  const { url } = await startServe()
  const remote = await run(['replay', file, '--target', url])
  const { stdout: json } = await run(['replay', file, '--json'])

  const reason =
    '404: no operation has the path `/api/projects/1/anotations/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got anotations)'
  expect(stdout).toBe(`${file}: Story
  ✗ 1 GET /api/projects/1/anotations/
      GET http://localhost/api/projects/1/anotations/
      status
        expected 200
        got      404
      ${reason}
      No setting decides this: with every other value this step fails, too.
  ✗ 2 GET ${list}?serach=Incident
      GET http://localhost${list}?serach=Incident
      body.count
        expected 1
        got      6
      ignored: ?serach, did you mean search?
      No setting decides this: with every other value this step fails, too.
  ✓ 3 GET ${list}
  1 of 3 steps passed, 2 failed.
`)
  expect(remote.stdout.replaceAll(/http.*(?=\/api)/g, 'http://localhost')).toBe(stdout)
  expect(JSON.parse(json)[0].result.steps.map(({ reasons }: StepResult) => reasons)).toEqual([
    [reason],
    ['ignored: ?serach, did you mean search?'],
    undefined,
  ])
})

test('another service does not show its settings: compare finds them', async () => {
  const { url } = await startServe(['--set', 'annotations.delete.status=403'])
  const flags = ['--target', url, '--key', 'phx_all', '--allow-writes']

  const { code, stdout } = await run(['replay', storyFile([remove]), ...flags])

  expect(code).toBe(1)
  expect(stdout).toContain(`        got      403
      No deciding setting is known: a service does not show its settings; understudy-api compare finds them.
`)
})
