import { expect, test } from 'vitest'
import { createSimulator, runAt, type Scenario, scenarioReport } from '../../src/index.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const storyOf = (steps: object[], setup: object = { world: 'default' }) =>
  ({ title: 'Story', ...setup, steps }) as Scenario

async function report(steps: object[], setup?: object): Promise<string> {
  return scenarioReport(await createSimulator().run(storyOf(steps, setup)))
}

const request = (method: string, path: string, expected: object, body?: object) => ({
  ...{ as: 'all', method, path, expect: expected },
  ...(body && { body }),
})

const remove = request('DELETE', `${list}1/`, { status: 405 })

test('a difference that may follow from an earlier write says so', async () => {
  const replace = request('PUT', `${list}1/`, { status: 200 }, { content: 'New' })
  const read = request('GET', `${list}1/`, { body: { content: 'New' } })

  const text = await report([replace, read])

  expect(text.match(/due to setting methods\.put = off/g)).toHaveLength(1)
  expect(text).toContain('fails, too; the step that failed before it may be the cause.')
})

const source = "in the service's source"

test.each([
  [{ results: [{ id: 5 }, { id: 4 }, {}] }, 3],
  [{ next: { $match: 'text' } }, 1],
])('a number that no named value has decides a page with %j', async (body, limit) => {
  expect(await report([request('GET', list, { body })])).toContain(
    `due to setting annotations.list.limit.default = 1000 (${source}); with ${limit} this step would pass\n  0 of 1`,
  )
})

test('settings that decide together are one sentence', async () => {
  const replace = request('PUT', `${list}1/`, { status: 405 }, {})

  expect(await report([replace], { profile: 'live' })).toContain(
    `        got      200
      partly due to settings methods.put = on (${source}) and methods.undocumented = refused_to_scoped_keys (${source}); with off and 405 this step would pass
  0 of 1 steps passed, 1 failed.`,
  )
})

test('the reason of the response comes before the settings, also of a server', async () => {
  const story = storyOf([
    request('GET', '/api/projects/1/anotations/', { status: 200 }),
    request('GET', `${list}?serach=Incident`, { body: { count: 1 } }),
    request('GET', list, { body: { count: 6 } }),
  ])

  const result = await createSimulator().run(story)
  const remote = await runAt((await serve()).origin, story)

  const reason =
    '404: no operation has the path `/api/projects/1/anotations/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got anotations)'
  expect(scenarioReport(result)).toBe(`Story
  ✗ 1 GET /api/projects/1/anotations/
      GET http://localhost/api/projects/1/anotations/
      status
        expected 200
        got      404
      ${reason}
      No single setting decides this: with every other value of one, this step fails, too.
  ✗ 2 GET ${list}?serach=Incident
      GET http://localhost${list}?serach=Incident
      body.count
        expected 1
        got      6
      ignored: ?serach, did you mean search?
      No single setting decides this: with every other value of one, this step fails, too.
  ✓ 3 GET ${list}
  1 of 3 steps passed, 2 failed.`)
  expect(result.steps.map(({ reasons }) => reasons)).toEqual([
    [reason],
    ['ignored: ?serach, did you mean search?'],
    undefined,
  ])
  expect(remote.steps.map(({ reasons }) => reasons)).toEqual(
    result.steps.map(({ reasons }) => reasons),
  )
})

test('another service does not show its settings: compare finds them', async () => {
  const { origin } = await serve({ settings: { 'annotations.delete.status': '403' } })

  const result = await runAt(origin, storyOf([remove], {}), { key: 'phx_all', allow_writes: true })

  expect(scenarioReport(result)).toContain(`        got      403
      No deciding setting is known: a service does not show its settings; understudy-api compare finds them.
`)
})
