import { expect, test } from 'vitest'
import { clientRules } from '../../../src/mistakes/mistake-finder.ts'
import { listFailures, runToReport, summarizeReport } from '../../../src/report/format-report.ts'
import type { RunReport } from '../../../src/report/run-report.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { printReport } from '../../../src/utils/reports/printers.ts'

/** Reports on a client that lists a page, creates a row with a wrong field, and deletes a row. */
async function reportOnClient(options: SimulatorOptions = {}): Promise<RunReport> {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z', ...options })
  const authorization = 'Bearer phx_all'
  const list = '/api/projects/1/annotations/'
  const headers = { authorization, 'content-type': 'application/json' }
  await simulator.fetch(`${list}?limit=6`, { headers })
  await simulator.fetch(list, {
    headers,
    method: 'POST',
    body: '{"contnt":"<b>","scope":"project"}',
  })
  await simulator.fetch(`${list}1/`, { headers, method: 'DELETE' })
  return simulator.report()
}

const format = (report: RunReport, name: string) =>
  printReport(runToReport(report, 'npx understudy-api exec -- client', criteria), name)

const criteria = { mistakes: 'print', failOn: ['ignored-input'], rules: clientRules } as const

test('the whole report of a small run', async () => {
  const report = await reportOnClient()

  const { settings, ...rest } = report
  const lines = settings.map((setting) => JSON.stringify({ ...setting, question: undefined }))
  const texts = [...summarizeReport(report), '', ...lines, JSON.stringify(rest, null, 2), '']
  await expect(texts.join('\n')).toMatchFileSnapshot('./small-run.outline.txt')
})

test('a note of a rule for mistakes does not fail a run', async () => {
  const simulator = createSimulator()
  const list = '/api/projects/1/annotations/'
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const body = '{"content":"Launch","scope":"project"}'
  await simulator.fetch(list, { headers, method: 'POST', body })
  await simulator.fetch(list, { headers })
  await simulator.fetch(list, { headers, method: 'POST', body })

  const report = await simulator.report()
  const failures = listFailures(report, { mistakes: 'fail', failOn: [], rules: clientRules })

  expect(report.mistakes).toMatchObject([{ rule: 'duplicate-row', level: 'note' }])
  expect(failures).toEqual([])
})

test('labels of keys neither show a key nor control a terminal', async () => {
  const simulator = createSimulator()
  const secret = 'phx_0123456789abcdefghijklmnop'
  const label = `\u001b[31mof ${secret}`
  const key = simulator.keys.issue({ label, scopes: ['annotation:read', 'plugin:read'] })
  const headers = { authorization: `Bearer ${key}` }
  await simulator.fetch('/api/projects/1/annotations/', { headers })

  const report = await simulator.report()

  expect(summarizeReport(report).at(-1)).toBe(
    'Key \\u001b[31mof phx_…mnop used only annotation:read. It has annotation:read, plugin:read.',
  )
  expect(format(report, 'run.json')).not.toContain(secret)
})

test('a summary names a key that used another scope, not fewer ones', async () => {
  const simulator = createSimulator({ profile: 'live' })
  const headers = { authorization: 'Bearer phx_annotation_write' }
  await simulator.fetch('/api/projects/1/annotations/', { headers })

  const report = await simulator.report()

  expect(summarizeReport(report).at(-1)).toBe(
    'Key annotation:write used only annotation:read. It has annotation:write.',
  )
})

test('a report names only scopes that a key has', async () => {
  const simulator = createSimulator({ settings: { 'keys.write_implies_read': 'yes' } })
  simulator.settings.set({ 'keys.empty_scopes': 'everything' })
  const path = '/api/projects/1/annotations/'
  const send = (key: string, method: string) =>
    simulator.fetch(path, { method, headers: { authorization: `Bearer ${key}` } })
  await send('phx_annotation_write', 'GET')
  await send('phx_annotation_write', 'POST')
  await send('phx_none', 'GET')

  const { keys } = await simulator.report()

  expect(keys.map(({ sentence }) => sentence)).toEqual([
    'Key annotation:write used each of its scopes: annotation:write.',
    'Key none used only annotation:read. It has full access.',
  ])
})
