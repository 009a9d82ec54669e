import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { createRow } from '../../support/scenarios/traffic.ts'

test('fallback: the client that was recorded may send other requests, and its writes are simulated', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const target = await startHttpServer((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...createRow(7, 'Launch'), deleted: false }))
  })
  const proxy = await startRecord(target, '--out', out, '--title', 'A story')
  const send = (base: string, method: string, key = 'phx_canary') =>
    fetch(base + annotations, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{"content":"Launch"}' }),
    })
  await send(proxy.url, 'POST')
  await proxy.stop('SIGINT')
  const { url } = await startServe(['--recording', out])

  const before = await send(url, 'GET')
  const created = await send(url, 'POST')
  const after = await send(url, 'GET')
  const other = await send(url, 'GET', 'phx_other')

  expect([before.status, created.status, after.status, other.status]).toEqual([200, 201, 200, 401])
  expect([(await before.json()).count, (await after.json()).count]).toEqual([0, 1])
})
