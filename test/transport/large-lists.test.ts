import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { WorldJson } from '../../src/index.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { servers, socketTest, start } from '../support/lanes/start.ts'

/** A page of so many rows is made in slices. */
const largePage = 'limit=20000'

const [row] = defaultWorld.annotations

const world = {
  ...defaultWorld,
  next_ids: {},
  annotations: Array.from({ length: 9_000 }, (_, index) => ({
    ...row,
    id: index + 1,
    content: `${index % 2 === 0 ? 'Even' : 'Odd'} ${index} ü`,
    date_marker: new Date(1_700_000_000_000 + index * 60_000).toISOString(),
    scope: index % 3 === 0 ? 'organization' : 'project',
  })),
} as unknown as WorldJson

/** The rows of small pages. */
async function smallPages(origin: string, query = ''): Promise<unknown[]> {
  const rows: unknown[] = []
  let next: string | null = `${origin}${annotationsPath}?limit=4500${query}`
  while (next) {
    const page = (await (await fetch(next, { headers: authorization() })).json()) as {
      results: unknown[]
      next: string | null
    }
    rows.push(...page.results)
    next = page.next
  }
  return rows
}

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
  expect(rows).toHaveLength(9_000)
})

socketTest('a fault within the body of a large page breaks it halfway, or pauses it', async () => {
  const { origin, simulator } = await start({ world })
  const url = `${origin}${annotationsPath}?${largePage}`
  const whole = await (await fetch(url, { headers: authorization() })).arrayBuffer()

  simulator.faults.add({ when: { times: 1 }, phase: 'mid-body', effect: { drop: true } })
  const broken = await fetch(url, { headers: authorization() })
  let received = 0
  const reading = (async () => {
    for await (const chunk of broken.body ?? []) received += chunk.length
  })()
  await expect(reading).rejects.toThrow('terminated')
  simulator.faults.add({ when: { times: 1 }, phase: 'mid-body', effect: { delay_ms: 50 } })
  const paused = await fetch(url, { headers: authorization() })

  expect(received).toBeLessThanOrEqual(Math.ceil(whole.byteLength / 2))
  expect(await paused.arrayBuffer()).toEqual(whole)
  expect(simulator.journal.find().map(({ reason }) => reason)).toEqual([
    null,
    '200: the fault `fault-1` was applied: the connection drops halfway through the body',
    '200: the fault `fault-2` was applied: the response is delayed by 50 ms',
  ])
})

test.each([
  ['behind other rows', '&offset=3', {}, 8_997],
  ['of a search', '&search=ü', {}, 9_000],
  ['in another version', '', { versioning: 'may_2024' }, 9_000],
  ['without deleted rows', '', {}, 8_999],
  ['with deleted rows', '', { 'annotations.deleted.visibility': 'listed' }, 9_000],
] as const)('a large page %s has the rows of small ones', async (name, query, policies, count) => {
  const { origin, simulator } = await start({ world, policies })
  if (name.endsWith('deleted rows')) simulator.world.annotations.update(7, { deleted: true })
  const rows = await smallPages(origin, query)

  const response = await fetch(`${origin}${annotationsPath}?${largePage}${query}`, {
    headers: authorization(),
  })

  const { results } = (await response.json()) as { results: unknown[] }
  // As texts: thousands of rows are compared field by field in ten times as long.
  expect(JSON.stringify(results)).toBe(JSON.stringify(rows))
  expect(rows).toHaveLength(count)
})

test('a large page between other rows has links to them, and the journal notes the one before it', async () => {
  const { origin, simulator } = await start({ world })
  const rows = await smallPages(origin)

  const response = await fetch(`${origin}${annotationsPath}?limit=8500&offset=100`, {
    headers: authorization(),
  })

  const page = {
    count: 9_000,
    next: `${origin}${annotationsPath}?limit=8500&offset=8600`,
    previous: `${origin}${annotationsPath}?limit=8500`,
    results: rows.slice(100, 8_600),
  }
  expect(await response.text()).toBe(JSON.stringify(page))
  const entry = simulator.journal.find({ operation: 'listAnnotations' }).at(-1)
  expect(entry?.preceding_row).toBe((rows[99] as { id: number }).id)
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

socketTest('a client that stops reading a large page disturbs no other one', async () => {
  const { ask, origin } = await start({ world })

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()

  expect((await ask('GET', `${annotationsPath}1/`)).status).toBe(200)
})

socketTest('HEAD has the length of a large page, and no body', async () => {
  const { origin } = await start({ world })
  const url = `${origin}${annotationsPath}?${largePage}`

  const [head, get] = await Promise.all(
    ['HEAD', 'GET'].map((method) => fetch(url, { method, headers: authorization() })),
  )

  expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'))
  expect(await head?.text()).toBe('')
})

test('a fault changes a large page like any other', async () => {
  const { simulator, origin } = await start({ world })
  simulator.faults.add({ preset: 'mutate:annotation.content=null' })

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })

  const { results } = (await response.json()) as { results: { content: unknown }[] }
  expect(results).toHaveLength(9_000)
  expect(results.every(({ content }) => content === null)).toBe(true)
})
