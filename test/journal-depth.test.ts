import { expect, test } from 'vitest'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const headers = { 'content-type': 'application/json' }

/** A body that holds a list within a list, so many of them. */
function nested(levels: number): string {
  return `{"content":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

test.each([3_000, 5_000, 100_000])(
  'a body of %i levels, which nobody reads, is shown as a text',
  async (levels) => {
    const { ask, simulator } = await start()
    await ask('POST', list, { raw: nested(levels), headers })

    const [entry] = simulator.journal.find()

    expect(entry?.answer.status).toBe(400)
    expect(entry?.request).toMatchObject({ body: nested(levels), omitted: false })
    expect(simulator.journal.toHar().log.entries[0]?.request.postData?.text).toBe(nested(levels))
    expect(simulator.journal.verify({ body: { content: 'x' } }).held).toBe(false)
  },
)

test('as deep as bodies are read, one is shown as a value', async () => {
  const { ask, simulator } = await start()
  await ask('POST', list, { raw: nested(999), headers })

  expect(simulator.journal.find()[0]?.request.body).toEqual(JSON.parse(nested(999)))
})

test('who follows the journal is told of a body too deep to read, and the request is answered', async () => {
  const { ask, simulator } = await start()
  const reader = simulator.journal.events()[Symbol.asyncIterator]()
  await reader.next()
  const next = reader.next()

  const { status } = await ask('POST', list, { raw: nested(3_000), headers })

  expect(status).toBe(400)
  expect(new TextDecoder().decode((await next).value)).toMatch(/^id: 1\nevent: entry\n/)
  await reader.return?.()
})
