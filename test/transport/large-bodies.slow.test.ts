import express from 'express'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { type ExpressOptions, toExpress } from '../../src/adapters/express/express.ts'
import { listStep, runStory } from '../support/scenarios/story.ts'
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

test('a run ends whose responses have more than 256 MiB', async () => {
  const fault = { operation: 'listAnnotations', effect: { status: 200, body: 'x'.repeat(2 ** 25) } }
  const run = (count: number) => runStory([{ fault }, ...Array(count).fill(listStep)])

  expect(await run(8)).toMatchObject({ passed: true })
  await expect(run(9)).rejects.toThrow(/more than 256 MiB/)
})
