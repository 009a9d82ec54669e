import { expect, test } from 'vitest'
import { brief } from './support/brief.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const hedgehogs = '🦔'.repeat(400)
const yes = ['t', 'T', 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1']
const no = ['f', 'F', 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']

type Taken = readonly [field: string, sent: unknown, shown: unknown]

const taken: readonly Taken[] = [
  ['content', 'Release 1.0', 'Release 1.0'],
  ['content', '  Release 1.0\n', 'Release 1.0'],
  ['content', '\u0085\u00a0Release\u2028', 'Release'],
  ['content', '\ufeffkept\u200b', '\ufeffkept\u200b'],
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
  ['creation_type', 'USR', 'USR'],
  ['creation_type', 'GIT', 'GIT'],
  ['dashboard_item', 10, 10],
  ['dashboard_item', '10', 10],
  ['dashboard_item', null, null],
  ['dashboard_item', '', null],
  ['scope', 'dashboard_item', 'dashboard_item'],
  ['scope', 'project', 'project'],
  ['scope', 'organization', 'organization'],
]

const told = taken.map((row) => [...row, brief(row[1]), brief(row[2])] as const)

test.each(told)(
  '$0 takes $3 and shows $4 [§4:content] [§4:date_marker] [§4:creation_type] [§4:dashboard_item] [§4:scope]',
  async (field, sent, shown) => {
    const { ask } = await start()

    const created = await ask('POST', list, { body: { [field]: sent } })
    const changed = await ask('PATCH', `${list}1/`, { body: { [field]: sent } })

    expect(created).toMatchObject({ status: 201, body: { id: 9, [field]: shown } })
    expect(changed).toMatchObject({ status: 200, body: { id: 1, [field]: shown } })
    expect(await ask('GET', `${list}9/`)).toEqual({ ...created, status: 200 })
    expect(await ask('GET', `${list}1/`)).toEqual(changed)
  },
)

test('a dashboard item may be of any project, and brings its insight with it [§4:dashboard_item] [§4:insight]', async () => {
  const { ask } = await start()

  const foreign = await ask('POST', list, { body: { dashboard_item: 12 } })
  const unlinked = await ask('PATCH', `${list}1/`, { body: { dashboard_item: null } })

  const insight = { insight_short_id: 'IjKl9012', insight_name: 'Push opt-ins' }
  expect(foreign).toMatchObject({ status: 201, body: { dashboard_item: 12, ...insight } })
  expect(unlinked).toMatchObject({
    status: 200,
    body: { dashboard_item: null, insight_short_id: null, insight_name: null },
  })
})

test('fields are not checked against each other [§4:nothing-required]', async () => {
  const { ask } = await start()

  const created = await ask('POST', list, { body: { scope: 'dashboard_item' } })

  expect(created).toMatchObject({ status: 201, body: { dashboard_item: null } })
})

test('deleted takes true, 1 and the words for them, in their usual casings [§4:deleted]', async () => {
  const { ask } = await start()

  for (const sent of [true, 1, ...yes]) {
    const answer = await ask('POST', list, { body: { deleted: sent } })
    expect(answer, String(sent)).toMatchObject({ status: 201, body: { deleted: true } })
  }
})

test('deleted takes false, 0 and the words for them, in their usual casings [§4:deleted]', async () => {
  const { ask } = await start()

  for (const sent of [false, 0, '0', ...no]) {
    await ask('PATCH', `${list}1/`, { body: { deleted: true } })
    const answer = await ask('PATCH', `${list}1/`, { body: { deleted: sent } })
    expect(answer, String(sent)).toMatchObject({ status: 200, body: { deleted: false } })
  }
})
