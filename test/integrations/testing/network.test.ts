import nodeHttp from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withSimulator } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

const annotations = 'https://app.example.com/api/projects/1/annotations/'

test('a dropped connection has the code of Node, by which clients recognize it', async () => {
  const error = await withSimulator(({ simulator }) => {
    simulator.faults.add({ operation: 'listProjects', effect: { drop: true } })
    return fetch('https://app.example.com/api/projects/').catch((reason: unknown) => reason)
  })

  expect(error).toMatchObject({
    name: 'TypeError',
    cause: { name: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' },
  })
})

test('fake timers do not stop fetch', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const { status } = await withSimulator(({ as }) => fetch(annotations, as('all')))

  expect(status).toBe(200)
})

test('clients that do not use fetch reach the same simulator', async () => {
  const [status, entries] = await withSimulator(async ({ simulator, as }) => {
    await fetch(annotations, as('all'))
    const status = await new Promise((resolve, reject) => {
      const sent = nodeHttp.request(annotations.replace('https', 'http'), as('all'))
      sent.on('response', (response) => resolve(response.resume().statusCode))
      sent.on('error', reject).end()
    })
    return [status, simulator.journal.find().length]
  })

  expect([status, entries]).toEqual([200, 2])
})

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
