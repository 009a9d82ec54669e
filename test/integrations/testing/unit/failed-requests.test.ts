import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/index.ts'
import { describeLatestRequests } from '../../../../src/integrations/testing/failed-requests.ts'
import { authorization, jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

test('each request is described by its status, its key, the reason and the policies', async () => {
  const simulator = createSimulator()
  const send = (path: string, init?: RequestInit) => simulator.fetch(path, init).catch(() => null)
  await send(`${annotationsPath}?search=a+b`, { headers: authorization() })
  await send('/api/projects/')
  await send('/api/projects/', { headers: authorization('phx_all_but_unknown') })
  await send(annotationsPath, { method: 'POST', headers: jsonHeaders(), body: '{"scope":"no"}' })
  await send('/api/projects/1/anotations/', { headers: authorization() })
  await send(annotationsPath, { method: 'POST', headers: jsonHeaders(), body: '{"contnt":"a"}' })
  simulator.faults.add({ when: { times: 1 }, effect: { drop: true } })
  await send('/api/projects/', { headers: authorization() })

  expect(describeLatestRequests(simulator).split('\n')).toEqual([
    'Requests to the simulator, the latest last:',
    '  200 GET /api/projects/1/annotations/?search=a+b, key "all"',
    '  401 GET /api/projects/, no key – the request has no Authorization header; keys.missing.status=401',
    '  401 GET /api/projects/, key "phx_…nown" – no key matches phx_a…; keys.missing.status=401',
    '  400 POST /api/projects/1/annotations/, key "all" – body.scope: `no` is not one of dashboard_item, project, organization; annotations.scope.values=may_2024',
    '  404 GET /api/projects/1/anotations/, key "all" – no operation has the path `/api/projects/1/anotations/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got anotations)',
    '  201 POST /api/projects/1/annotations/, key "all" – ignored: body.contnt, did you mean content?',
    '  --- GET /api/projects/, key "all" – the fault `fault-1` was applied: the connection drops before the request is carried out',
  ])
})

test('the last ten requests are described', async () => {
  const simulator = createSimulator()
  for (let count = 1; count <= 12; count++) await simulator.fetch(`/api/projects/${count}/`)

  const lines = describeLatestRequests(simulator, 1).split('\n')

  expect(lines).toHaveLength(12)
  expect(lines[0]).toBe('The last 10 requests to the simulator:')
  expect(lines[1]).toContain('/api/projects/3/')
  expect(lines[11]).toMatch(/^Meanwhile 1 request reached the simulators of other tests\./)
})

test('control characters of a request are escaped', async () => {
  const simulator = createSimulator()
  const body = JSON.stringify({ scope: '\u001b[2J\n' })
  await simulator.fetch(annotationsPath, { method: 'POST', headers: jsonHeaders(), body })

  const [, line] = describeLatestRequests(simulator).split('\n')

  expect(line).toMatch(/scope.*\\u001b\[2J/)
  expect(line).toContain('"all"')
})
