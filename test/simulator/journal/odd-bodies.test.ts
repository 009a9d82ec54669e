import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

const headers = { 'content-type': 'application/json' }

/** A body with nested lists. */
function nested(levels: number): string {
  return `{"content":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

test.each([3_000, 100_000])(
  'a body of %i levels, too deep to parse, is shown as text',
  async (levels) => {
    const { ask, simulator } = await start({ journal: { body: 1_000_000 } })
    await ask('POST', annotationsPath, { raw: nested(levels), headers })

    const [entry] = simulator.journal.find()

    expect(entry?.response.status).toBe(400)
    expect(entry?.request).toMatchObject({ body: nested(levels), omitted: false })
    expect(simulator.journal.toHar().log.entries[0]?.request.postData?.text).toBe(nested(levels))
    expect(simulator.journal.verify({ body: { content: 'x' } }).passed).toBe(false)
    expect(await simulator.explain(1)).toMatchObject({ status: 400, would_succeed: null })
  },
)

test('a body of the deepest level that is parsed is shown as a value', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { raw: nested(999), headers })

  expect(simulator.journal.find()[0]?.request.body).toEqual(JSON.parse(nested(999)))
})

/** Half of a surrogate pair: not well-formed Unicode, so no header and no URL can contain it. */
const half = 'phx_half\ud800'

test('entries can contain text that is not well-formed: in a label, in a body and in a masked key', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue({ value: 'key🦔 of more than sixteen 🦔end', label: half })
  await ask('GET', `${annotationsPath}?search=${encodeURIComponent(key)}`)
  await ask('POST', annotationsPath, { body: { content: half, personal_api_key: half } })

  const entries = simulator.journal.find()

  expect(entries[0]?.query).toEqual({ search: 'key🦔…🦔end' })
  expect(entries[1]?.request.body).toEqual({ content: half, personal_api_key: 'phx_…' })
  expect(simulator.journal.toHar().log.entries).toHaveLength(2)
})

test('the bytes of a body include an incomplete last character, which the service ignores', async () => {
  const { ask, simulator } = await start()
  const whole = new TextEncoder().encode('{"content":"Größe"}')
  const raw = new Uint8Array([...whole, 0xc3])

  const created = await ask('POST', annotationsPath, { raw, headers })
  const complete = await ask('POST', annotationsPath, { raw: whole, headers })

  expect([created, complete]).toMatchObject([
    { status: 201, body: { content: 'Größe' } },
    { status: 201, body: { content: 'Größe' } },
  ])
  expect(simulator.journal.find().map(({ request }) => request.bytes)).toEqual([
    raw.length,
    whole.length,
  ])
})
