import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../../src/index.ts'
import { JsonPage } from '../../../../src/utils/json-page.ts'
import { authorization } from '../../../support/api/headers.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

/** Reads a page. @returns the buffers of its rows */
async function readPage(simulator: Simulator): Promise<ArrayBufferLike[]> {
  const memory: ArrayBufferLike[] = []
  const stop = simulator.journal.followRecords(({ response: { body } }) => {
    if (!(body instanceof JsonPage)) return
    for (const chunk of body.chunks()) if (chunk instanceof Uint8Array) memory.push(chunk.buffer)
  })
  const [key] = simulator.keys.list()
  const headers = authorization(key?.value ?? '')
  await simulator.fetch(`${annotationsPath}?limit=100`, { headers })
  stop()
  return memory
}

test('sandboxes share the encoded rows of their world until one of them writes', async () => {
  const simulator = createSimulator()
  const annotations = Array.from({ length: 1_000 }, (_, index) => ({ content: `Row ${index}` }))
  simulator.addRows({ annotations })
  const [one, other, writer] = [1, 2, 3].map(() => {
    const { id } = simulator.sandboxes.create()
    return simulator.sandboxes.get(id) as Simulator
  })

  const pageOfOne = await readPage(one as Simulator)
  const pageOfOther = await readPage(other as Simulator)
  writer?.addRows({ annotations: [{ content: 'Launch' }] })
  const pageOfWriter = await readPage(writer as Simulator)

  expect(pageOfOne.length).toBeGreaterThan(1)
  const positionOf = (memory: ArrayBufferLike) => pageOfOne.indexOf(memory)
  expect(pageOfOther.map(positionOf)).toEqual(pageOfOne.map(positionOf))
  expect(pageOfWriter.every((memory) => pageOfOne.includes(memory))).toBe(false)
})
