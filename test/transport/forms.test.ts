import { expect, test } from 'vitest'
import { invalid, refusal } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { bare, plugins } from '../support/api/plugins.ts'
import { start } from '../support/lanes/start.ts'

const live = { profile: 'live' } as const
const fields = {
  content: ' Spring & summer = 🦔 ',
  date_marker: '2024-06-01T10:00:00+02:00',
  creation_type: 'GIT',
  dashboard_item: '10',
  deleted: 'off',
  scope: 'project',
}
const read = {
  content: 'Spring & summer = 🦔',
  date_marker: '2024-06-01T08:00:00Z',
  creation_type: 'GIT',
  dashboard_item: 10,
  insight_short_id: 'AbCd1234',
  deleted: false,
  scope: 'project',
}

function multipart(entries: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.append(name, value)
  return form
}

const kinds = [
  {
    kind: 'form-encoded',
    encode: (entries: Record<string, string>) => new URLSearchParams(entries),
  },
  { kind: 'multipart', encode: multipart },
]

test.each(kinds)(
  'in the live profile a $kind body creates, changes and replaces like JSON',
  async ({ encode }) => {
    const { ask } = await start(live)

    const created = await ask('POST', annotationsPath, { raw: encode(fields) })
    const changed = await ask('PATCH', `${annotationsPath}1/`, { raw: encode(fields) })
    const replaced = await ask('PUT', `${annotationsPath}2/`, { raw: encode(fields) })

    expect(created).toMatchObject({ status: 201, body: { id: 9, ...read } })
    expect(changed).toMatchObject({ status: 200, body: { id: 1, ...read } })
    expect(replaced).toMatchObject({ status: 200, body: { id: 2, ...read } })
    expect(await ask('GET', `${annotationsPath}9/`)).toEqual({ ...created, status: 200 })
  },
)

test.each(kinds)(
  'in the live profile the fields of a $kind body are validated like JSON',
  async ({ encode }) => {
    const { ask, simulator } = await start(live)
    const refused = (entries: Record<string, string>) =>
      ask('POST', annotationsPath, { raw: encode(entries) })

    expect(await refused({ content: 'x'.repeat(401) })).toEqual(
      invalid('content', 'max_length', 'Ensure this field has no more than 400 characters.'),
    )
    expect(await refused({ dashboard_item: '999' })).toEqual(
      invalid('dashboard_item', 'does_not_exist', 'Invalid pk "999" - object does not exist.'),
    )
    expect(await refused({ deleted: 'maybe' })).toEqual(
      invalid('deleted', 'invalid_input', 'Must be a valid boolean.'),
    )
    expect(await refused({ creation_type: 'null' })).toEqual(
      invalid('creation_type', 'invalid_choice', '"null" is not a valid choice.'),
    )
    expect(simulator.world.annotations.count).toBe(8)
  },
)

test('in the live profile an empty form field is null, an empty text, or ignored, depending on the field', async () => {
  const { ask } = await start(live)
  const names = ['content', 'date_marker', 'creation_type', 'dashboard_item', 'deleted', 'scope']
  const blank = () => new URLSearchParams(names.map((name) => [name, '']))
  await ask('PATCH', `${annotationsPath}1/`, { body: { creation_type: 'GIT', scope: 'project' } })

  const created = await ask('POST', annotationsPath, { raw: blank() })
  const changed = await ask('PATCH', `${annotationsPath}1/`, { raw: blank() })
  const inJson = await ask('PATCH', `${annotationsPath}1/`, { body: { date_marker: '' } })

  const blanks = { content: '', date_marker: null, dashboard_item: null, deleted: false }
  expect(created).toMatchObject({
    status: 201,
    body: { ...blanks, creation_type: 'USR', scope: 'dashboard_item' },
  })
  expect(changed).toMatchObject({
    status: 200,
    body: { ...blanks, creation_type: 'GIT', scope: 'project' },
  })
  expect(inJson).toMatchObject({ status: 400, body: { attr: 'date_marker' } })
})

test('in the live profile a plugin can be created from empty form fields, except JSON fields', async () => {
  const { ask } = await start({ ...live, world: 'empty' })
  const names = ['plugin_type', 'name', 'description', 'icon', 'tag', 'is_global']
  const raw = (fields: Record<string, string>) => new URLSearchParams(fields)
  const blanks = Object.fromEntries(names.map((name) => [name, '']))
  await ask('POST', plugins, { raw: raw({ plugin_type: 'source', name: 'Hello', url: '' }) })

  const changed = await ask('PATCH', `${plugins}1/`, { raw: raw(blanks) })

  const shown = { ...bare, plugin_type: '', name: '', description: '', icon: '', tag: '' }
  expect(changed).toEqual({ status: 200, body: shown })
  expect(await ask('PATCH', `${plugins}1/`, { raw: raw({ metrics: '' }) })).toEqual(
    invalid('metrics', 'invalid_input', 'Value must be valid JSON.'),
  )
})

test('in the live profile a plus in an encoded form is a space, and the last of several values wins', async () => {
  const { ask } = await start(live)
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

  const raw = 'content=first&unknown=1&content=R%C3%A9lease+1%2B1&scope=project'
  const created = await ask('POST', annotationsPath, { raw, headers })

  expect(created).toMatchObject({ status: 201, body: { content: 'Rélease 1+1', scope: 'project' } })
})

test('in the live profile a multipart body without a boundary is malformed, and one without parts is empty', async () => {
  const { ask } = await start(live)
  const headers = { 'content-type': 'multipart/form-data' }

  expect(await ask('POST', annotationsPath, { raw: 'content=x', headers })).toEqual(
    refusal(
      400,
      'invalid_request',
      'parse_error',
      'Multipart form parse error - Invalid boundary in multipart: None',
    ),
  )
  const empty = { 'content-type': 'multipart/form-data; boundary=x' }
  const created = await ask('POST', annotationsPath, { raw: 'hello', headers: empty })
  expect(created).toMatchObject({ status: 201, body: { content: null } })
})
