import { appendFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newStateFile, savedLines, startWithState } from '../../support/sandboxes-file.ts'

test('a file of sandboxes that is longer than any string is read, and written anew with its latest states', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  const annotations = Array.from({ length: 2_000 }, () => ({ content: 'x'.repeat(400) }))
  first.sandbox(id).addRows({ annotations })
  await first.save()
  const earlier = Buffer.from(`${savedLines(file).at(-1)}\n`.repeat(16))
  first.sandbox(id).world.annotations.create({ content: 'The latest' })
  await first.close()
  const latest = `${savedLines(file).findLast((line) => line.includes(`"${id}"`))}\n`
  while (statSync(`${file}.sandboxes`).size < 560_000_000) {
    appendFileSync(`${file}.sandboxes`, earlier)
  }
  appendFileSync(`${file}.sandboxes`, latest)

  const second = await startWithState(file)
  const contents = second
    .sandbox(id)
    .world.annotations.list()
    .map(({ content }) => content)
  second.sandbox(id).world.annotations.create({ content: 'After the start' })
  await second.close()
  const { size } = statSync(`${file}.sandboxes`)
  const third = await startWithState(file)

  expect(size).toBeLessThan(2_000_000)
  expect(second.warnings).toEqual([])
  expect(contents).toContain('The latest')
  expect(contents.length).toBeGreaterThan(2_000)
  expect(third.sandbox(id).world.annotations.list()).toHaveLength(contents.length + 1)
})
