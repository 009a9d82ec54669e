import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'

test.each([
  ['/api/projects/1/anotation/', 404],
  ['/api/projects/1/anotatio/', undefined],
  ['/api/projects/1/annotationsss/', 404],
  ['/api/projects/1/annotationssss/', undefined],
  ['/api/organizations/1/plugins/1/upgr/', undefined],
  ['/api/organizations/1/plugins/1/upgra/', 404],
  ['/api/organizations/1/plugins/unused/extra/', undefined],
  ['/api/project/1/anotations/', undefined],
  ['/apis/projects/1/annotations/', undefined],
  ['/api/projects//anotations/', undefined],
  ['/api/project/', undefined],
])('%s is answered with %s: at most two letters of one word may differ', async (path, status) => {
  const { handlers } = createSimulator()

  const response = await getResponse(handlers, new Request(`http://a.test${path}`))

  expect(response?.status).toBe(status)
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
    expect(entry?.nearest?.[0]?.difference, baseUrl).toBe(difference)
  }
})
