import { expect, test } from 'vitest'
import { unauthenticated } from '../support/api/errors.ts'
import { annotationsPath, pluginsPath as plugins } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

test.each([
  ['documented', annotationsPath, 'GET, POST, HEAD, OPTIONS'],
  ['documented', `${annotationsPath}999/`, 'GET, PATCH, HEAD, OPTIONS'],
  ['documented', '/api/projects/', 'GET, HEAD, OPTIONS'],
  ['live', annotationsPath, 'GET, POST, HEAD, OPTIONS'],
  ['live', `${annotationsPath}999/`, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
  ['live', `${plugins}21/upgrade`, 'POST, OPTIONS'],
] as const)(
  'in %s OPTIONS %s is an empty response that names the methods %s to any key',
  async (profile, path, allow) => {
    const client = await start({ profile })

    const response = await client.send('OPTIONS', path, { key: 'phx_none' })
    const refused = await client.ask('OPTIONS', path, { key: null })

    expect([response.status, response.headers.get('allow')]).toEqual([200, allow])
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['0', ''])
    expect(refused).toEqual(unauthenticated())
  },
)
