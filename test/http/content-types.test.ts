import { expect, test } from 'vitest'
import { invalid, wrongMediaType } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

const json = ['application/json', 'Application/JSON', ' Application/Json ; Charset=UTF-8']
const wildcards = ['*/*', 'Application/*; charset=utf-8']
const others = [
  ...['text/plain', 'application/merge-patch+json', 'text/json', 'json', 'text/*'],
  'multipart/form-data; boundary=x',
]

test.each([
  ...json.map((type) => ['documented', type, 201] as const),
  ...[...json, ...wildcards].map((type) => ['live', type, 201] as const),
  ...[...wildcards, ...others].map((type) => ['documented', type, 415] as const),
  ...others.map((type) => ['live', type, 415] as const),
])('in %s, JSON with the content type %j is answered with %i', async (profile, type, status) => {
  const { ask } = await start({ profile })
  const sent = { raw: '{"content": "x"}', headers: { 'content-type': type } }

  const created = await ask('POST', annotationsPath, sent)
  const changed = await ask('PATCH', `${annotationsPath}1/`, sent)

  const refused = wrongMediaType(type)
  const body = expect.objectContaining({ content: 'x' })
  expect([created, changed]).toEqual(
    status === 415
      ? [refused, refused]
      : [
          { status, body },
          { status: 200, body },
        ],
  )
})

const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

test('live, in a form a plus is a space, and the last of several values wins', async () => {
  const { ask } = await start({ profile: 'live' })

  const raw = 'content=first&unknown=1&content=R%C3%A9lease+1%2B1&dashboard_item=10&deleted=off'
  const created = await ask('POST', annotationsPath, { raw, headers: form })

  const body = { content: 'Rélease 1+1', dashboard_item: 10, deleted: false }
  expect(created).toMatchObject({ status: 201, body })
})

test('live, an empty form field is null, an empty text, or ignored, depending on the field', async () => {
  const { ask } = await start({ profile: 'live' })
  await ask('PATCH', `${annotationsPath}1/`, { body: { creation_type: 'GIT', scope: 'project' } })

  const raw = 'content=&date_marker=&creation_type=&dashboard_item=&deleted=&scope='
  const changed = await ask('PATCH', `${annotationsPath}1/`, { raw, headers: form })
  const tooLong = { raw: `content=${'x'.repeat(401)}`, headers: form }
  const refused = await ask('PATCH', `${annotationsPath}1/`, tooLong)

  const kept = { creation_type: 'GIT', scope: 'project' }
  const blank = { content: '', date_marker: null, dashboard_item: null, deleted: false }
  expect(changed).toMatchObject({ status: 200, body: { ...kept, ...blank } })
  expect(refused).toEqual(
    invalid('content', 'max_length', 'Ensure this field has no more than 400 characters.'),
  )
})

test.each([
  ['latin-1', [0xe9], 'é'],
  ['"ISO-8859-1"', [0xe9, 0x80], 'é\x80'],
  ['shift_jis', [0x83, 0x65], 'テ'],
  ['UTF-8', [0xc3, 0xa9], 'é'],
  ['nonsense', [0xc3, 0xa9], 'é'],
])('JSON in the charset %s is decoded', async (charset, bytes, content) => {
  const { ask, simulator } = await start()
  const raw = Uint8Array.from([...Buffer.from('{"content":"'), ...bytes, ...Buffer.from('"}')])
  const headers = { 'content-type': `application/json; charset=${charset}` }

  const response = await ask('POST', annotationsPath, { raw, headers })

  expect(response).toMatchObject({ status: 201, body: { content } })
  expect(simulator.record().scenario.steps).toMatchObject([{ body: { content } }])
})
