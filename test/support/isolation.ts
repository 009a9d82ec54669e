import { expect } from 'vitest'
import type { SandboxInfo } from '../../src/simulator/sandboxes/sandboxes.ts'
import { annotationsPath } from './api/paths.ts'
import type { Started } from './lanes/start.ts'
import { createRandom } from './random.ts'

/** The expected rows of a sandbox: the content of each row by id, null for a deleted row. */
type Model = Map<number, string | null>

/** Sends random requests to a sandbox, one after the other. Odd sandboxes are addressed by URL, even ones by key. */
async function sendRandomRequests(
  { ask }: Started,
  { id, keys }: SandboxInfo,
  initial: Model,
  steps: number,
): Promise<Model> {
  const number = Number(id.split('-')[1])
  const { below, pick } = createRandom(number)
  const base = number % 2 === 0 ? annotationsPath : `/__sandbox/${id}${annotationsPath}`
  const key = keys.find(({ label }) => label === 'all')?.value as string
  const model: Model = new Map(initial)
  for (let step = 0; step < steps; step++) {
    const content = `${id}, step ${step}`
    const existing = [...model].filter(([, text]) => text !== null).map(([row]) => row)
    const row = pick(existing)
    const action = below(5)
    if (action < 2 || existing.length === 0) {
      const { status, body } = await ask('POST', base, { key, body: { content } })
      expect(status).toBe(201)
      expect(model.has((body as { id: number }).id)).toBe(false)
      model.set((body as { id: number }).id, content)
    } else if (action === 2) {
      await ask('PATCH', `${base}${row}/`, { key, body: { content } })
      model.set(row, content)
    } else if (action === 3) {
      await ask('PATCH', `${base}${row}/`, { key, body: { deleted: true } })
      model.set(row, null)
    } else {
      const response = await ask('GET', `${base}${row}/`, { key })
      expect(response).toMatchObject({ status: 200, body: { content: model.get(row) } })
    }
  }
  return model
}

/** Lists all rows, sorted by id. */
async function listRows({ ask }: Started, { id, keys }: SandboxInfo): Promise<[number, string][]> {
  const key = keys.find(({ label }) => label === 'all')?.value as string
  const { body } = await ask('GET', `/__sandbox/${id}${annotationsPath}?limit=100`, { key })
  const { results, next } = body as { results: { id: number; content: string }[]; next: null }
  expect(next).toBeNull()
  return results.map((row): [number, string] => [row.id, row.content]).sort(([a], [b]) => a - b)
}

const visibleRows = (model: Model) =>
  [...model].filter(([, content]) => content !== null).sort(([a], [b]) => a - b)

/** Sends random requests to 32 sandboxes at once. Each must have its own rows, and no other. */
export async function expectIsolation(started: Started): Promise<void> {
  const { simulator } = started
  const before = simulator.world.toJSON()
  const rows = (await started.ask('GET', annotationsPath)).body as {
    results: { id: number; content: string }[]
  }
  const initial: Model = new Map(rows.results.map(({ id, content }) => [id, content]))
  const sandboxes = Array.from({ length: 32 }, () => simulator.sandboxes.create())

  const models = await Promise.all(
    sandboxes.map((sandbox) => sendRandomRequests(started, sandbox, initial, 6)),
  )

  const received = await Promise.all(sandboxes.map((sandbox) => listRows(started, sandbox)))
  expect(received).toEqual(models.map(visibleRows))
  expect(simulator.world.toJSON()).toEqual(before)
  for (const { id } of sandboxes) {
    const inner = simulator.sandboxes.get(id)
    const contents = inner?.world.annotations.list().map(({ content }) => content)
    const foreign = contents?.filter(
      (text) => /^sandbox-/.test(text ?? '') && !text?.startsWith(`${id},`),
    )
    expect(foreign).toEqual([])
  }
}
