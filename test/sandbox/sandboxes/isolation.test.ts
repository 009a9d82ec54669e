import { expect, test } from 'vitest'
import type { SandboxInfo } from '../../../src/sandbox/sandboxes/sandboxes.ts'
import { type Started, start } from '../../support/lanes/start.ts'
import { createRandom } from '../../support/random.ts'

const list = '/api/projects/1/annotations/'

/** What one sandbox must hold: the content of each row by id, null for one that was deleted. */
type Model = Map<number, string | null>

/**
 * Sends random requests to one sandbox, each after the answer to the one before; odd ones reach it by its
 * address, even ones by its key alone.
 */
async function work(
  { ask }: Started,
  { id, keys }: SandboxInfo,
  began: Model,
  steps: number,
): Promise<Model> {
  const number = Number(id.split('-')[1])
  const { below, pick } = createRandom(number)
  const base = number % 2 === 0 ? list : `/__sandbox/${id}${list}`
  const key = keys.find(({ label }) => label === 'all')?.value as string
  const model: Model = new Map(began)
  for (let step = 0; step < steps; step++) {
    const content = `${id}, step ${step}`
    const alive = [...model].filter(([, text]) => text !== null).map(([row]) => row)
    const row = pick(alive)
    const dice = below(5)
    if (dice < 2 || alive.length === 0) {
      const { status, body } = await ask('POST', base, { key, body: { content } })
      expect(status).toBe(201)
      expect(model.has((body as { id: number }).id)).toBe(false)
      model.set((body as { id: number }).id, content)
    } else if (dice === 2) {
      await ask('PATCH', `${base}${row}/`, { key, body: { content } })
      model.set(row, content)
    } else if (dice === 3) {
      await ask('PATCH', `${base}${row}/`, { key, body: { deleted: true } })
      model.set(row, null)
    } else {
      const answer = await ask('GET', `${base}${row}/`, { key })
      expect(answer).toMatchObject({ status: 200, body: { content: model.get(row) } })
    }
  }
  return model
}

/** The rows that a full listing shows, page by page, by ascending id. */
async function listed({ ask }: Started, { id, keys }: SandboxInfo): Promise<[number, string][]> {
  const key = keys.find(({ label }) => label === 'all')?.value as string
  const rows: { id: number; content: string }[] = []
  for (let offset = 0; ; offset += 10) {
    const page = `/__sandbox/${id}${list}?limit=10&offset=${offset}`
    const { body } = await ask('GET', page, { key })
    const { results, next } = body as { results: typeof rows; next: string | null }
    rows.push(...results)
    if (next === null) break
  }
  return rows.map((row): [number, string] => [row.id, row.content]).sort(([a], [b]) => a - b)
}

const shown = (model: Model) =>
  [...model].filter(([, content]) => content !== null).sort(([a], [b]) => a - b)

test('two hundred sandboxes at once, with random requests: no row is ever seen elsewhere', async () => {
  const started = await start()
  const { simulator } = started
  const before = simulator.world.toJSON()
  const rows = (await started.ask('GET', list)).body as {
    results: { id: number; content: string }[]
  }
  const began: Model = new Map(rows.results.map(({ id, content }) => [id, content]))
  const sandboxes = Array.from({ length: 200 }, () => simulator.sandboxes.create())

  const models = await Promise.all(sandboxes.map((sandbox) => work(started, sandbox, began, 10)))

  const seen = await Promise.all(sandboxes.map((sandbox) => listed(started, sandbox)))
  expect(seen).toEqual(models.map(shown))
  expect(simulator.world.toJSON()).toEqual(before)
  for (const { id } of sandboxes) {
    const inner = simulator.sandboxes.get(id)
    const contents = inner?.world.annotations.list().map(({ content }) => content)
    const foreign = contents?.filter(
      (text) => /^sandbox-/.test(text ?? '') && !text?.startsWith(`${id},`),
    )
    expect(foreign).toEqual([])
  }
}, 60_000)
