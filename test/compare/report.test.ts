import { expect, test } from 'vitest'
import { comparisonToReport } from '../../src/compare/report.ts'
import { printReport } from '../../src/report/printers.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { noon } from '../support/api/paths.ts'
import { changing, compareServer, createServer } from './own-server.ts'

const tagged = (() => {
  const server = changing(
    createServer({ 'annotations.fields': 'july_2024' }),
    ({ fields, url, status }) => {
      if (status >= 400 || !/\/annotations\/(\d+\/)?(\?|$)/.test(url)) return
      for (const row of [fields.results ?? fields].flat()) {
        Object.assign(row as object, { tags: [] })
        Reflect.deleteProperty(row as object, 'insight_name')
      }
    },
  )
  return compareServer(server, { all: 'phx_all' }, { allowWrites: false })
})()

test('the nearest value is found, and the fields that no value has are not explained', async () => {
  const { settings, unexplained } = await tagged

  expect(settings.find(({ id }) => id === 'annotations.fields')?.value).toBe('july_2024')
  expect(unexplained.map(({ part, got }) => `${part} ${got}`)).toEqual([
    'field tags present',
    'field insight_name absent',
  ])
})

test.each([
  [[], null],
  [['unexplained'], ['field tags', 'field insight_name']],
  [
    ['documented', 'unexplained'],
    ['annotations.fields', 'field tags', 'field insight_name'],
  ],
] as const)('with %j the JUnit report has the failures %j', async (failOn, failures) => {
  const comparison = await tagged
  const about = { comparison, subject: 'a server', expected: resolveSettings(), failOn }
  const report = comparisonToReport({ ...about, expectation: 'the profile documented' })

  const xml = printReport(report, 'report.xml', noon)

  expect(xml.match(/(?<=<failure message=")[^:]*/g)).toEqual(failures)
  expect(report.text).toMatch(/^field tags {2}.*\n {2}GET /m)
  expect(xml).toContain('<skipped message="No response shows limits.body."')
})

test('a value is another one than expected if several others fit, and it does not', async () => {
  const server = createServer({ 'plugins.other.scope': 'any_key' })
  const comparison = await compareServer(server, { all: 'phx_all' }, { allowWrites: false })
  const about = { comparison, subject: 'a server', expected: resolveSettings('live') }
  const report = { ...about, failOn: ['source'], expectation: 'the profile live' } as const

  const { hasFailed, text, json } = comparisonToReport(report)

  const setting = { id: 'plugins.other.scope', open: 'several_fit', expected: 'refused' }
  expect(json).toMatchObject({
    settings: expect.arrayContaining([expect.objectContaining(setting)]),
  })
  expect(hasFailed).toBe(true)
  expect(text).toContain('plugin_scopes and any_key fit. It is not refused (source).')
})
