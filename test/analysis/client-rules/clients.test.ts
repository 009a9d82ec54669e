import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import type { Reply, RequestOptions } from '../../support/lanes/client.ts'
import { type Started, start } from '../../support/lanes/start.ts'

interface Row {
  readonly id: number
  readonly content: string | null
  readonly date_marker: string | null
}

interface Page {
  readonly count: number
  readonly next: string | null
  readonly results: readonly Row[]
}

/** A client that follows links, starts again when a list moves, retries rightly and sends single fields. */
class CarefulClient {
  readonly #client: Started

  constructor(client: Started) {
    this.#client = client
  }

  async list(query = '?limit=2'): Promise<Row[]> {
    for (;;) {
      const rows = new Map<number, Row>()
      const counts = new Set<number>()
      let read = 0
      for (let next: string | null = `${annotationsPath}${query}`; next !== null; ) {
        const { body } = await this.send('GET', next.replace(this.#client.origin, ''))
        const page = body as Page
        for (const row of page.results) rows.set(row.id, row)
        read += page.results.length
        counts.add(page.count)
        next = page.next
      }
      if (counts.size === 1 && rows.size === read) return [...rows.values()]
    }
  }

  async create(body: { content: string; date_marker: string }): Promise<void> {
    try {
      await this.send('POST', annotationsPath, { body })
    } catch {
      const found = await this.list(`?search=${encodeURIComponent(body.content)}`)
      const isSame = (row: Row) => Date.parse(`${row.date_marker}`) === Date.parse(body.date_marker)
      if (!found.some(isSame)) await this.create(body)
    }
  }

  /** Waits as long as a 429 says, and repeats reads that failed. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.#client.ask(method, path, options)
    if (reply.status === 429) {
      const seconds = /in (\d+) second/.exec((reply.body as { detail: string }).detail)?.[1]
      this.#client.simulator.clock.advance({ seconds: Number(seconds) })
      return this.send(method, path, options)
    }
    if (method === 'GET' && reply.status >= 500) return this.send(method, path, options)
    return reply
  }
}

test('a careful client makes no mistake while another one writes and the service fails', async () => {
  const client = await start()
  const { simulator } = client
  const careful = new CarefulClient(client)
  const [once, twice] = [{ times: 1 }, { times: 2 }]
  simulator.faults.add({
    operation: 'listAnnotations',
    when: { skip: 1, times: 1 },
    effect: {
      edit: [
        { rows: { annotations: [{ content: 'By another client' }] } },
        { update: { annotations: [5, 1].map((id) => ({ id, deleted: true })) } },
      ],
    },
  })
  simulator.faults.add({
    operation: 'createAnnotation',
    phase: 'after-commit',
    when: once,
    effect: { drop: true },
  })
  simulator.faults.add({
    operation: 'listAnnotations',
    when: { times: 1, skip: 5 },
    effect: { error: 'throttled', retry_after_s: 30 },
  })
  simulator.faults.add({
    operation: 'retrieveAnnotation',
    when: twice,
    effect: { status: 503, body: '<html>' },
  })

  const rows = await careful.list()
  await careful.create({ content: 'Launch', date_marker: '2024-06-20T09:00:00.123Z' })
  for (const { id } of rows) {
    await careful.send('GET', `${annotationsPath}${id}/`)
    await careful.send('PATCH', `${annotationsPath}${id}/`, { body: { content: `Row ${id}` } })
    await careful.send('PATCH', `${annotationsPath}${id}/`, { body: { deleted: true } })
  }

  expect(rows.map(({ id }) => id)).toEqual([9, 4, 3, 8, 2])
  expect(await careful.list()).toMatchObject([{ id: 10, content: 'Launch' }])
  expect(simulator.world.annotations.count).toBe(10)
  expect(simulator.journal.mistakes()).toEqual([])
})

// Three clients of the live service, with the mistakes that their authors did not notice.

test('a suite deletes its rows, and does not look at the status', async () => {
  const { ask, simulator } = await start()
  const created: Reply[] = []
  for (const content of ['a', 'b', 'c', 'd', 'e'])
    created.push(await ask('POST', annotationsPath, { body: { content } }))

  for (const { body } of created) await ask('DELETE', `${annotationsPath}${(body as Row).id}/`)

  expect(simulator.journal.mistakes()).toEqual([
    {
      rule: 'swallowed-delete',
      level: 'error',
      message:
        'Annotations 9, 10, 11, 12, 13 were not deleted, and the client did not delete them with PATCH.',
      cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
      evidence: 'documented',
      source:
        'the documentation says: hard deletion is not allowed; the caller is told to use PATCH',
      details: [
        'entry 6: DELETE /api/projects/1/annotations/9/ → 405',
        'entry 7: DELETE /api/projects/1/annotations/10/ → 405',
        'entry 8: DELETE /api/projects/1/annotations/11/ → 405',
        'and 2 more',
      ],
      entries: [6, 7, 8, 9, 10],
      count: 5,
    },
  ])
})

test('a job compares times as texts, so that each run writes its row again', async () => {
  const { ask, simulator } = await start()
  const release = { content: 'Release 2.0', date_marker: '2024-06-14T08:30:00.123Z' }
  const run = async () => {
    const { body } = await ask('GET', `${annotationsPath}?search=Release+2.0`)
    const isKnown = (body as Page).results.some((row) => row.date_marker === release.date_marker)
    if (!isKnown) await ask('POST', annotationsPath, { body: { ...release, icon: '🚀' } })
  }

  await run()
  await run()
  await run()

  expect(simulator.journal.mistakes()).toEqual([
    {
      rule: 'ignored-input',
      level: 'warning',
      message: 'createAnnotation ignores body.icon.',
      cure: 'Remove it, or use the name that the documentation lists.',
      evidence: 'observed',
      source: 'seen by running the framework of the live service',
      details: [
        'entry 2: POST /api/projects/1/annotations/ → 201',
        'entry 4: POST /api/projects/1/annotations/ → 201',
        'entry 6: POST /api/projects/1/annotations/ → 201',
      ],
      entries: [2, 4, 6],
      count: 3,
    },
    {
      rule: 'duplicate-row',
      level: 'error',
      message:
        'The client sent the time 2024-06-14T08:30:00.123Z. Row 9, which it had read, has the same content and the same time: 2024-06-14T08:30:00.123000Z.',
      cure: 'Compare times as points in time, not as texts. The API writes them in UTC, with six digits of fraction or none.',
      evidence: 'observed',
      source: 'seen by running the framework of the live service',
      details: [
        'entry 3: GET /api/projects/1/annotations/?search=Release+2.0 → 200',
        'entry 4: POST /api/projects/1/annotations/ → 201',
        'entry 5: GET /api/projects/1/annotations/?search=Release+2.0 → 200',
        'and 1 more',
      ],
      entries: [3, 4, 5, 6],
      count: 4,
    },
  ])
})
