import { expect, test } from 'vitest'
import { createSimulator, type Exchange, type Step, type WorldJson } from '../../src/index.ts'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import {
  createPage,
  createPart,
  createRow,
  createTraffic,
  type TrafficInput,
} from '../support/traffic.ts'
import { incidentOf, scenarioFromTraffic, scenarioOf } from './derive.ts'

const url = `${annotationsPath}3/`
const received = {
  ...{ type: 'invalid_request', code: 'method_not_allowed', attr: null },
  detail: 'Method "DELETE" not allowed. Use PATCH with deleted set to true.',
}
const deletion: TrafficInput = { method: 'DELETE', url, status: 405, received }
const notFound = { ...received, code: 'not_found', detail: 'Not found.' }
const missing: TrafficInput = { url, status: 404, received: notFound }
const part = createPart(`${annotationsPath}?limit=1`, 2, createRow(9, 'Nine'))
const whole = { received: createPage(createRow(9, 'Nine')) }
const lost = { method: 'PATCH', url, sent: { deleted: false, dashboard_item: '11' }, status: 503 }
const throttled = { ...lost, status: 429, sent: { scope: 'project' } }
const uninstall = { method: 'DELETE', url: `${pluginsPath}22/` }
const gone = { ...missing, ...uninstall }
const madeUp = 'Made up, because no response shows it: the content of'

test.each<[string, TrafficInput[], string]>([
  ['DELETE got 405', [deletion], `${madeUp} annotation 3.`],
  [
    'DELETE got 405 after a list that counts a row which it does not show',
    [part, deletion],
    'The list of project 1 counted 1 row that no complete response shows. The world has 1 of them, with content that is made up.',
  ],
  ['restoration was lost after a whole list', [whole, lost], `${madeUp} annotation 3.`],
  ['restoration was lost', [lost], `${madeUp} annotation 3.`],
  ['update was throttled', [throttled], `${madeUp} annotation 3.`],
  ['deletion was lost', [{ ...uninstall, status: 503 }, gone], `${madeUp} plugin 22.`],
])('a row is assumed to exist whose %s', async (_, seen, warning) => {
  const { scenario, warnings } = await scenarioOf(...seen)
  const { annotations = [] } = scenario.world as WorldJson
  const body = seen.at(-1)?.sent ?? { deleted: true }
  const advised = { ...scenario.steps.at(-1), method: 'PATCH', body, expect: { status: 200 } }

  const { passed } = await createSimulator().run(scenario)
  const followed = await createSimulator().run({ ...scenario, steps: [advised as Step] })

  expect([passed, followed.passed, warnings[0]]).toEqual([true, true, warning])
  expect(annotations.some(({ deleted }) => deleted)).toBe(seen.at(-1) === lost)
})

test.each<[string, TrafficInput[]]>([
  ['a whole list does not show it', [whole, deletion]],
  ['a read got 404', [missing, deletion]],
  ['a read gets a 404 after it, and no request deletes the row', [part, deletion, missing]],
])('a row whose DELETE got 405 does not exist if %s', async (_, inputs) => {
  const { scenario } = await scenarioOf(...inputs)

  const { passed } = await createSimulator().run(scenario)

  const { annotations = [] } = scenario.world as WorldJson
  expect(annotations.map(({ id }) => id)).not.toContain(3)
  expect(scenario.steps.flatMap((step) => ('update' in step ? [step] : []))).toEqual([])
  expect(passed).toBe(true)
})

const create: TrafficInput = { method: 'POST', sent: {}, status: 201 }
const change = (id: number, status = 200): TrafficInput => {
  return { method: 'PATCH', url: `${annotationsPath}${id}/`, sent: {}, status }
}

test.each<[string, TrafficInput[], string]>([
  ['GET', [{ url }], 'annotation 3'],
  ['PATCH', [change(3)], 'annotation 3'],
  ['DELETE', [{ ...uninstall, status: 204 }], 'plugin 22'],
  ['GET beside a newer one that was created', [create, change(9), { url }], 'annotation 3'],
  [
    'PATCH beside a lost one of the created row',
    [create, change(9, 503), change(3)],
    'annotation 3',
  ],
  ['PATCH after a create that failed', [{ ...create, status: 503 }, change(3)], 'annotation 3'],
  ['PATCH that undoes its deletion', [change(3), missing, change(3)], 'annotation 3'],
])('a row is assumed to exist, although no response shows it, for a %s', async (_, seen, row) => {
  const exchanges = createTraffic(...seen).map((exchange): Exchange => {
    return { ...exchange, response: { ...exchange.response, body: { omitted: 500 } } as never }
  })
  const { scenario, warnings } = await scenarioFromTraffic(exchanges)

  const { passed } = await createSimulator().run(scenario)
  const { broken } = await incidentOf(scenario)

  expect([passed, broken.length]).toEqual([true, seen.filter((s) => s.status === 503).length])
  expect(warnings).toContain(`${madeUp} ${row}.`)
})
