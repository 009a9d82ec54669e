import express from 'express'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { type ExpressOptions, toExpress } from '../../src/adapters/express/express.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { serveApp } from '../support/transports/express.ts'
import { serve } from '../support/transports/start.ts'

test.each([
  ['documented', 1_048_576],
  ['live', 20_971_520],
] as const)('in the profile %s a body has at most %i bytes', async (profile, limit) => {
  const { ask } = await serve({ profile })
  const headers = { 'content-type': 'application/json' }
  const padded = (size: number) => '{"content":"Padded"}'.padEnd(size)

  const fits = await ask('POST', annotationsPath, { raw: padded(limit), headers })
  const over = await ask('POST', annotationsPath, { raw: padded(limit + 1), headers })

  expect(fits).toMatchObject({ status: 201, body: { content: 'Padded' } })
  expect(over).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
})

test('bodies for your own handlers behind Express may have 64 MiB, or as much as an option says', async () => {
  const handler = http.post('*/mine', async ({ request }) =>
    HttpResponse.json((await request.arrayBuffer()).byteLength),
  )
  const answer = async (length: number, options: ExpressOptions = {}) => {
    const { ask } = await serveApp(express().use(toExpress([handler], options)))
    return (await ask('POST', '/mine', { raw: new Uint8Array(length) })).status
  }

  expect(await answer(200_000)).toBe(200)
  expect(await answer(64 * 1024 * 1024 + 1)).toBe(413)
  expect(await answer(10, { bodyLimit: 9 })).toBe(413)
})
