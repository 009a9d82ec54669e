import { expect, test } from 'vitest'
import { forbidden, notFound, refusal, unauthenticated } from './support/refusals.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const profiles = [{ profile: 'documented' }, { profile: 'live' }] as const
const anyId = [1, 6, 7, 999, 'abc'] as const

test('by the document DELETE is refused for any id and tells to use PATCH [§4.5:delete] [§1:method]', async () => {
  const client = await start()
  const before = client.simulator.world.annotations.list()
  const told = 'Method "DELETE" not allowed. Use PATCH with deleted set to true.'

  for (const id of anyId) {
    const answer = await client.ask('DELETE', `${list}${id}/`)
    expect(answer).toEqual(refusal(405, 'invalid_request', 'method_not_allowed', told))
  }

  const { headers } = await client.send('DELETE', `${list}1/`)
  expect(headers.get('allow')).toBe('GET, PATCH, HEAD, OPTIONS')
  expect(client.simulator.world.annotations.list()).toEqual(before)
})

test('live, DELETE is refused for any id without a body or a type [§4.5:delete] [§1:allow]', async () => {
  const client = await start({ profile: 'live' })
  const before = client.simulator.world.annotations.list()

  for (const id of anyId) {
    const response = await client.send('DELETE', `${list}${id}/`)
    const { headers } = response
    expect({
      status: response.status,
      type: headers.get('content-type'),
      length: headers.get('content-length'),
      allow: headers.get('allow'),
      text: await response.text(),
    }).toEqual({
      status: 405,
      type: null,
      length: '0',
      allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
      text: '',
    })
  }

  expect(client.simulator.world.annotations.list()).toEqual(before)
})

test.each(profiles)(
  'in $profile DELETE asks for the key, the scope and the project first [§4.5:delete] [§1:order]',
  async (options) => {
    const { ask } = await start(options)

    expect(await ask('DELETE', `${list}1/`, { key: null })).toEqual(unauthenticated())
    expect(await ask('DELETE', `${list}1/`, { key: 'phx_annotation_read' })).toEqual(
      forbidden("API key missing required scope 'annotation:write'"),
    )
    expect(await ask('DELETE', '/api/projects/9/annotations/1/')).toEqual(
      notFound('Project not found.'),
    )
  },
)
