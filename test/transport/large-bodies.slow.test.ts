import express from 'express'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { type ExpressOptions, toExpress } from '../../src/adapters/express/express.ts'
import { serveApp } from './express.ts'

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
