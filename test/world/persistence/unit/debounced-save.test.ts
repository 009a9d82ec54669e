import { expect, test } from 'vitest'
import { DebouncedSave } from '../../../../src/world/persistence/debounced-save.ts'

/** Saves that end when they are told to, each with what it was given. */
function slowly(...outcomes: readonly (Error | null)[]) {
  const ends: (() => void)[] = []
  let started = 0
  const save = () =>
    new Promise<void>((resolve, reject) => {
      const outcome = outcomes[started++] ?? null
      ends.push(() => (outcome ? reject(outcome) : resolve()))
    })
  return { save, ends, started: () => started }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))

test('who asks while it is being saved is told when it is saved', async () => {
  const { save, ends, started } = slowly()
  const saver = new DebouncedSave(save, () => {})
  const told: string[] = []
  saver.schedule()

  const first = saver.flush().then((isSaved) => told.push(`first ${isSaved}`))
  const second = saver.flush().then((isSaved) => told.push(`second ${isSaved}`))
  await settle()
  const before = [...told]
  ends[0]?.()
  await Promise.all([first, second])

  expect(before).toEqual([])
  expect(told.sort()).toEqual(['first true', 'second true'])
  expect(started()).toBe(1)
})

test('what changes while it is being saved is saved for all who ask then', async () => {
  const { save, ends, started } = slowly()
  const saver = new DebouncedSave(save, () => {})
  saver.schedule()
  const first = saver.flush()
  await settle()

  saver.schedule()
  const others = [saver.flush(), saver.flush()]
  for (const index of [0, 1]) {
    await settle()
    ends[index]?.()
  }

  expect(await Promise.all([first, ...others])).toEqual([true, true, true])
  expect(started()).toBe(2)
})

test('who asks while saving fails is told so when it fails again, else that all is saved', async () => {
  const outcome = async (...outcomes: readonly (Error | null)[]) => {
    const { save, ends } = slowly(...outcomes)
    const saver = new DebouncedSave(save, () => {})
    saver.schedule()
    const both = [saver.flush(), saver.flush()]
    for (const index of [0, 1]) {
      await settle()
      ends[index]?.()
    }
    return Promise.all(both)
  }

  expect(await outcome(new Error('full'), new Error('full'))).toEqual([false, false])
  expect(await outcome(new Error('full'), null)).toEqual([false, true])
})
