import { expect, test } from 'vitest'
import type { Comparison } from '../../src/compare/comparison.ts'
import { comparisonToReport } from '../../src/compare/report.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { printReport } from '../../src/utils/reports/printers.ts'
import { noon } from '../support/api/paths.ts'
import { compareServer, createServer, type Fetch } from './own-server.ts'

type Row = Readonly<Record<string, unknown>>

/** Compares a server whose annotations have other fields, by reads. */
async function compareRows(
  settings: SettingOverrides,
  change: (row: Row) => Row,
): Promise<Comparison> {
  const server = createServer(settings)
  const like: Fetch = async (url, init) => {
    const response = await server.fetch(url, init)
    if (!/\/annotations\/(\d+\/)?(\?|$)/.test(String(url)) || !response.ok) return response
    const body = await response.json()
    const changed =
      'results' in body ? { ...body, results: body.results.map(change) } : change(body)
    return Response.json(changed, response)
  }
  return compareServer(like, { all: 'phx_all' }, { allowWrites: false })
}

test('a value is the nearest, and fits not, if rows have fields that no value has, and lack others', async () => {
  const { settings, unexplained } = await compareRows(
    { 'annotations.fields': 'july_2024' },
    ({ insight_name: _, ...row }) => ({ ...row, tags: [], v: 1 }),
  )

  expect(settings.find(({ id }) => id === 'annotations.fields')).toMatchObject({
    value: null,
    open: {
      word: 'further_fields',
      sentence:
        'No value fits: july_2024 is the nearest, but rows have the further fields tags and v, and lack insight_name.',
    },
  })
  expect(unexplained).toContainEqual(
    expect.objectContaining({ part: 'fields tags and v', got: 'present', simulated: 'absent' }),
  )
})

test.each<[readonly ['unexplained'] | readonly [], string[] | null]>([
  [[], null],
  [
    ['unexplained'],
    ['<failure message="Not explained: field tags is present, and absent in a simulator.'],
  ],
])('with %j the JUnit report of what nothing explains has %j', async (failOn, failures) => {
  const comparison = await compareRows({}, (row) => ({ ...row, tags: [] }))
  const about = { comparison, subject: 'a server', expected: resolveSettings(), failOn }
  const report = comparisonToReport({ ...about, expectation: 'the profile documented' })

  const xml = printReport(report, 'report.xml', noon)

  expect(xml.match(/<failure message="[^"]*/g)).toEqual(failures)
})
