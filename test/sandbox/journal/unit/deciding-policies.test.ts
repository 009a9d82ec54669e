import { expect, test } from 'vitest'
import { formatTextLine, loggedRequestDefaults } from '../../../../src/cli/log.ts'
import type { RequestSummary } from '../../../../src/sandbox/journal/renderer.ts'
import { describeDecision } from '../../../../src/server/dashboard/kit/format.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'
import { annotations, formType, type Refusal, refusals } from './deciding-policies.table.ts'

const get = { title: '', status: 0, decided: [] }

function send(simulator: Simulator, refusal: Refusal): Promise<Response> {
  const { method = 'GET', path, key = 'phx_all', type = 'application/json', body } = refusal
  const headers = {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': type }),
  }
  return simulator.fetch(path, { method, headers, ...(body !== undefined && { body }) })
}

test.each(refusals)('$title: log, journal and dashboard name what decided', async (refusal) => {
  const { profile = 'documented', policies = {}, status, decided } = refusal
  const simulator = createSimulator({ profile, policies })
  const summaries: RequestSummary[] = []
  simulator.journal.followSummaries((summary) => summaries.push(summary))

  expect((await send(simulator, refusal)).status).toBe(status)
  const [entry] = simulator.journal.find()
  const [{ target, id: _, ...summary }] = summaries as [RequestSummary]
  expect(summary.ms).toBeLessThan(20_000)
  const logged = { ...loggedRequestDefaults, ...summary, time: '', path: target, nearest: null }
  const line = formatTextLine(logged, (_tone, text) => text)

  expect(entry?.decided_by ?? []).toEqual(
    decided.map(([id, setting, would_be]) => {
      const used = entry?.policies.find((policy) => policy.id === id)
      expect(used?.setting).toBe(setting)
      return { ...used, would_be }
    }),
  )
  const reasons = decided.map(([id, setting]) => `${id}=${setting}`)
  const sentence = entry?.reason?.slice(`${status}: `.length)
  expect(line.split(' – ').slice(1)).toEqual([[sentence, ...reasons].join('; ')])
  expect((entry?.decided_by ?? []).map(describeDecision)).toEqual(
    decided.map(([, , other]) => `With ${other}, the status would differ.`),
  )
})

test('what decided is found in the rows as they were when the request was refused', async () => {
  const simulator = createSimulator()
  const { annotations: rows } = simulator.world
  const decisions = () =>
    simulator.journal.find().map(({ decided_by = [] }) => decided_by.map(({ id }) => id))

  await send(simulator, { ...get, path: `${annotations}6/` })
  await send(simulator, { ...get, path: `${annotations}9/` })
  rows.update(6, { deleted: false })
  rows.update(2, { content: 'Written since' })
  const { id } = rows.create({ content: 'Added since', deleted: true, project: 1 })
  rows.delete(1)
  simulator.keys.revoke('phx_all')

  expect(id).toBe(9)
  expect(decisions()).toEqual([['annotations.deleted.visibility'], []])
})

test('nothing is named if the rows of that time are no longer known', async () => {
  const simulator = createSimulator()
  await send(simulator, { ...get, path: `${annotations}6/` })

  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  expect(simulator.journal.find()[0]).not.toHaveProperty('decided_by')
})

test('a request over the rate limit names the limit', async () => {
  const simulator = createSimulator({ policies: { 'limits.rate': 'observed' }, clock: noon })
  for (let count = 0; count <= 480; count++) await send(simulator, { ...get, path: annotations })

  const decided = simulator.journal.find().map(({ decided_by }) => decided_by?.map(({ id }) => id))
  expect(decided.slice(-2)).toEqual([undefined, ['limits.rate']])
})

test('a fault decides without policies, and a request that is accepted has nothing to name', async () => {
  const simulator = createSimulator()
  await send(simulator, { ...get, path: annotations })
  simulator.faults.add({ operation: 'listAnnotations', effect: { error: 'not_found' } })
  await send(simulator, { ...get, path: annotations })

  for (const entry of simulator.journal.find()) expect(entry).not.toHaveProperty('decided_by')
})

test('finding what decided changes neither rows nor journal', async () => {
  const simulator = createSimulator()
  const form = { method: 'POST', path: annotations, type: formType, body: 'content=x' }
  await send(simulator, { ...get, ...form })
  const before = simulator.world.toJSON()

  const [first] = simulator.journal.find()

  expect(first?.decided_by).toHaveLength(1)
  expect(simulator.journal.find()).toEqual([first])
  expect(simulator.world.toJSON()).toEqual(before)
})

test('a sandbox and a mounted API name what decided, too', async () => {
  const simulator = createSimulator({ baseUrl: 'http://service.test/mounted' })
  const { id } = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(id) as Simulator
  const target = `/__sandbox/${id}/api/projects/1/annotations.json`
  const headers = { authorization: `Bearer ${inner.defaults.key}` }
  await simulator.fetch(`http://service.test/mounted${target}`, { headers })

  expect(inner.journal.find()[0]?.decided_by?.map(({ id }) => id)).toEqual(['paths.format'])
})
