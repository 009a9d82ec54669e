import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { shortJson } from '../../support/api/short-json.ts'
import { start } from '../../support/transports/start.ts'

const hedgehogs = '🦔'.repeat(400)
const trueWords = 't T y Y yes Yes YES true True TRUE on On ON 1'.split(' ')
const falseWords = 'f F n N no No NO false False FALSE off Off OFF 0'.split(' ')

type AcceptedValue = readonly [field: string, sent: unknown, shown: unknown]

const acceptedValues: readonly AcceptedValue[] = [
  ['content', 'Release 1.0', 'Release 1.0'],
  ['content', '  Release 1.0\n', 'Release 1.0'],
  ['content', '', ''],
  ['content', ' \t ', ''],
  ['content', null, null],
  ['content', 5, '5'],
  ['content', -1.5, '-1.5'],
  ['content', 'x'.repeat(400), 'x'.repeat(400)],
  ['content', `  ${'x'.repeat(400)}  `, 'x'.repeat(400)],
  ['content', hedgehogs, hedgehogs],
  ['content', '"quoted" \\ / \u007f \u0001 é 🦔', '"quoted" \\ / \u007f \u0001 é 🦔'],
  ['date_marker', null, null],
  // `test/utils/python` has all forms of dates. More digits are cut, not rounded.
  ['date_marker', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['date_marker', '2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456Z'],
  ['date_marker', '2024-01-01T10:00:00+01:00', '2024-01-01T09:00:00Z'],
  ['date_marker', '2024-01-01T10:00:00', '2024-01-01T10:00:00Z'],
  ['date_marker', '2024-02-29', '2024-02-29T00:00:00Z'],
  ['date_marker', '2024-W23-1', '2024-06-03T00:00:00Z'],
  ['creation_type', 'USR', 'USR'],
  ['creation_type', 'GIT', 'GIT'],
  ['dashboard_item', 10, 10],
  ['dashboard_item', '10', 10],
  ['dashboard_item', 10.7, 10],
  ['dashboard_item', null, null],
  ['dashboard_item', '', null],
  ['scope', 'dashboard_item', 'dashboard_item'],
  ['scope', 'project', 'project'],
  ['scope', 'organization', 'organization'],
]

const cases = acceptedValues.map((row) => [...row, shortJson(row[1]), shortJson(row[2])] as const)

test.each(cases)('$0 accepts $3 and returns $4', async (field, sent, stored) => {
  const { ask } = await start()

  const created = await ask('POST', annotationsPath, { body: { [field]: sent } })
  const changed = await ask('PATCH', `${annotationsPath}1/`, { body: { [field]: sent } })

  expect(created).toMatchObject({ status: 201, body: { id: 9, [field]: stored } })
  expect(changed).toMatchObject({ status: 200, body: { id: 1, [field]: stored } })
  expect(await ask('GET', `${annotationsPath}9/`)).toEqual({ ...created, status: 200 })
  expect(await ask('GET', `${annotationsPath}1/`)).toEqual(changed)
})

test.each([
  { deleted: true, words: [true, 1, ...trueWords] },
  { deleted: false, words: [false, 0, ...falseWords] },
])('deleted: $deleted can be sent as any of $words', async ({ deleted, words }) => {
  const { ask } = await start()

  for (const sent of words) {
    await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: !deleted } })
    const response = await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: sent } })
    expect.soft(response, String(sent)).toMatchObject({ status: 200, body: { deleted } })
  }
})
