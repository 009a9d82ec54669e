import { expect, test } from 'vitest'
import { LiveFile } from '../../../src/utils/live-file.ts'

test('what comes while the file is written is written at the end', async () => {
  const written: number[] = []
  let requests = 1
  const write = async () => {
    written.push(requests)
    if (written.length > 1) return
    requests = 2
    file.grow()
  }
  const file = new LiveFile(write, () => {})

  file.grow()
  await expect.poll(() => written).toEqual([1])
  await file.end()

  expect(written).toEqual([1, 2])
})
