import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

const detail = 'Endpoint not found.'

test.each([
  [
    'envelope',
    'application/json',
    `{"type":"invalid_request","code":"not_found","detail":"${detail}","attr":null}`,
  ],
  ['detail', 'application/json', `{"detail":"${detail}"}`],
  [
    'list',
    'application/json',
    `[{"type":"invalid_request","code":"not_found","detail":"${detail}","attr":null}]`,
  ],
  ['html', 'text/html', '<html><head><title>404</title></head><body><h1>404</h1></body></html>'],
  ['empty', null, ''],
] as const)(
  'with errors.body: %s, an error has the type %s and the body %s',
  async (value, type, body) => {
    const client = await start({ settings: { 'errors.body': value } })

    const response = await client.send('GET', `${annotationsPath}1/2/`)

    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      type,
      body,
    ])
  },
)
