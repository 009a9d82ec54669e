import { expect, test } from 'vitest'
import { authorization } from '../support/api/headers.ts'
import { largePage, smallPages, largeWorld as world } from '../support/api/large-page.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { servers, start } from '../support/lanes/start.ts'

test.each(servers)('a large page has the rows of small ones, from $name', async ({ serving }) => {
  const { origin } = await start({ world }, serving)
  const rows = await smallPages(origin)

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })
  const text = await response.text()

  expect(text).toBe(
    JSON.stringify({ count: rows.length, next: null, previous: null, results: rows }),
  )
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  })
  expect(rows).toHaveLength(8_200)
})

test('a fault within the body of a large page breaks it there', async () => {
  const { origin, simulator } = await start({ world })
  const url = `${origin}${annotationsPath}?${largePage}`

  simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 100_000 } })
  const broken = await fetch(url, { headers: authorization() })
  let received = 0
  const reading = (async () => {
    for await (const chunk of broken.body ?? []) received += chunk.length
  })()
  await expect(reading).rejects.toThrow('terminated')

  expect(received).toBe(100_000)
  expect(simulator.journal.find().map(({ reason }) => reason)).toEqual([
    '200: the fault `fault-1` was applied: the connection drops after 100,000 bytes of the body',
  ])
})

test('a large page has the rows of the moment when it was asked for', async () => {
  const { simulator, origin } = await start({ world })
  const url = `${origin}${annotationsPath}?${largePage}`
  const before = await (await fetch(url, { headers: authorization() })).text()

  const response = await fetch(url, { headers: authorization() })
  for (const { id } of simulator.world.annotations.list().slice(0, 100)) {
    simulator.world.annotations.update(id, { content: 'Changed' })
  }
  simulator.world.users.update(1, { first_name: 'Changed' })

  expect(await response.text()).toBe(before)
})

test('the journal notes the length of a large page, and other requests are answered before it is read', async () => {
  const { ask, simulator, origin } = await start({ world, journal: { bytes: 1_000_000 } })

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })
  const { status } = await ask('GET', `${annotationsPath}1/`)
  const { length } = await response.text()

  expect(status).toBe(200)
  const [entry] = simulator.journal.find({ operation: 'listAnnotations' })
  expect(entry?.response).toMatchObject({ status: 200, body: null, omitted: true })
  expect(entry?.response.bytes).toBeGreaterThan(length)
})

test('a client that stops reading a large page disturbs no other one', async () => {
  const { ask, origin } = await start({ world })

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()

  expect((await ask('GET', `${annotationsPath}1/`)).status).toBe(200)
})

test('HEAD has the length of a large page, and no body', async () => {
  const { origin } = await start({ world })
  const url = `${origin}${annotationsPath}?${largePage}`

  const [head, get] = await Promise.all(
    ['HEAD', 'GET'].map((method) => fetch(url, { method, headers: authorization() })),
  )

  expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'))
  expect(await head?.text()).toBe('')
})
