import { expect, onTestFinished, test } from 'vitest'
import { withSimulator } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

const annotations = 'https://app.example.com/api/projects/1/annotations/'

test('code that keeps fetch reaches the network after the function has ended', async () => {
  const url = await startHttpServer((_, response) => response.end('network'))
  const used = await withSimulator(() => globalThis.fetch)

  const response = await used(url)

  expect([await response.text(), used === fetch]).toEqual(['network', false])
})

test('code that keeps fetch reaches the simulator of the function that calls it', async () => {
  const earlier = await withSimulator(() => globalThis.fetch)

  const { status } = await withSimulator(({ as }) => earlier(annotations, as('all')))

  expect(status).toBe(200)
})

test('a function that replaces fetch uses the replacement, which is gone afterwards', async () => {
  const { fetch: before } = globalThis
  onTestFinished(() => {
    globalThis.fetch = before
  })
  const replaced: typeof fetch = async () => new Response('replaced')

  await withSimulator(async () => {
    globalThis.fetch = replaced
    expect(await (await fetch(annotations)).text()).toBe('replaced')
  })

  expect(fetch).toBe(before)
  await withSimulator(async ({ as }) => {
    expect((await fetch(annotations, as('all'))).status).toBe(200)
  })
})
