import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { intercept, startOtherServer } from './intercept.ts'

test('unknown paths are ignored, even if they begin like those of the API', async () => {
  const { unhandled } = intercept(createSimulator().handlers)
  const other = await startOtherServer()
  const paths = [
    '/api/project/',
    '/api/projects/1/anotations/',
    '/api/projects/1/',
    '/api/projects/1/actions/',
    '/api/projects/1/annotations/1/comments/',
    '/api/projects//anotations/',
    '/projects/1/annotations/',
    '/app/projects/1/annotations/',
    '/v1/api/projects/1/anotations/',
    '/api/organizations/1/members/',
  ]

  for (const path of paths)
    expect.soft(await (await fetch(other + path)).json()).toEqual({ other: path })

  expect(unhandled).toEqual(paths.map((path) => other + path))
})

test.each([
  ['/api/projects/1/annotation', 'segment 4: expected annotations, got annotation'],
  ['/api/projects/1/annotations/1/2', 'segment 6: expected nothing, got 2'],
  ['/api/project/1/annotations', 'segment 2: expected projects, got project'],
  ['/api/organizations/1/plugins/1/2/3', 'segment 6: expected nothing, got 2'],
  ['/api/organizations/1', 'segment 4: expected plugins, got nothing'],
  ['/api/organizations/1/plugin/1/upgrade', 'segment 4: expected plugins, got plugin'],
])('the journal says how %s differs from the nearest endpoint', async (path, difference) => {
  for (const baseUrl of ['*', '/service']) {
    const simulator = createSimulator({ baseUrl })

    await simulator.fetch(path)

    const [entry] = simulator.journal.find({})
    expect.soft(entry?.nearest?.[0]?.difference, baseUrl).toBe(difference)
  }
})
