import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DebouncedSave } from '../../../../src/world/persistence/debounced-save.ts'

/** A save function whose calls end when the test says so, each with the next outcome. */
function slowSave(...outcomes: readonly (Error | null)[]) {
  const ends: (() => void)[] = []
  let started = 0
  const save = () =>
    new Promise<void>((resolve, reject) => {
      const outcome = outcomes[started++] ?? null
      ends.push(() => (outcome ? reject(outcome) : resolve()))
    })
  return { save, ends, started: () => started }
}

/** Shorter than those of a server, in milliseconds. */
const times = { pause: 60, maxWait: 300 }

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

test('two flushes during one save resolve when that save ends', async () => {
  const { save, ends, started } = slowSave()
  const saver = new DebouncedSave(save, () => {})
  const resolved: string[] = []
  saver.schedule()

  const first = saver.flush().then((isSaved) => resolved.push(`first ${isSaved}`))
  const second = saver.flush().then((isSaved) => resolved.push(`second ${isSaved}`))
  await nextTask()
  const before = [...resolved]
  ends[0]?.()
  await Promise.all([first, second])

  expect(before).toEqual([])
  expect(resolved.sort()).toEqual(['first true', 'second true'])
  expect(started()).toBe(1)
})

test('a change during a save is saved by one more save, for all flushes', async () => {
  const { save, ends, started } = slowSave()
  const saver = new DebouncedSave(save, () => {})
  saver.schedule()
  const first = saver.flush()
  await nextTask()

  saver.schedule()
  const others = [saver.flush(), saver.flush()]
  for (const index of [0, 1]) {
    await nextTask()
    ends[index]?.()
  }

  expect(await Promise.all([first, ...others])).toEqual([true, true, true])
  expect(started()).toBe(2)
})

test('of several failures in a row, only the first one is reported', async () => {
  const outcomes = [new Error('first'), new Error('second'), null, new Error('third')]
  const { save, ends } = slowSave(...outcomes)
  const errors: unknown[] = []
  const saver = new DebouncedSave(save, (error) => errors.push(error))

  for (const index of outcomes.keys()) {
    saver.schedule()
    const saved = saver.flush()
    await nextTask()
    ends[index]?.()
    await saved
  }

  expect(errors).toEqual([new Error('first'), new Error('third')])
})

test('a flush during a failing save tries again, and resolves with the outcome of the second save', async () => {
  const outcome = async (...outcomes: readonly (Error | null)[]) => {
    const { save, ends } = slowSave(...outcomes)
    const saver = new DebouncedSave(save, () => {})
    saver.schedule()
    const both = [saver.flush(), saver.flush()]
    for (const index of [0, 1]) {
      await nextTask()
      ends[index]?.()
    }
    return Promise.all(both)
  }

  expect(await outcome(new Error('full'), new Error('full'))).toEqual([false, false])
  expect(await outcome(new Error('full'), null)).toEqual([false, true])
})

test('a failed save is tried again until it succeeds, without another change', async () => {
  const outcomes = [new Error('full'), new Error('full'), null]
  const statuses: string[] = []
  const starts: number[] = []
  const errors: unknown[] = []
  const save = async () => {
    starts.push(performance.now())
    await null
    statuses.push(saver.status)
    const outcome = outcomes.shift()
    if (outcome) throw outcome
  }
  const saver = new DebouncedSave(save, (error) => errors.push(error), times)
  statuses.push(saver.status)

  saver.schedule()
  await expect.poll(() => saver.status).toBe('saved')

  expect(statuses).toEqual(['saved', 'unsaved', 'failing', 'failing'])
  expect(errors).toHaveLength(1)
  const [first = 0, second = 0, third = 0] = starts
  for (const pause of [second - first, third - second]) expect(pause).toBeGreaterThan(270)
})

test('changes during a slow save count their longest wait from the first of them', async () => {
  const starts: number[] = []
  const ends: number[] = []
  const saver = new DebouncedSave(
    async () => {
      starts.push(performance.now())
      await pause(420)
      ends.push(performance.now())
    },
    () => {},
    times,
  )
  const changing = setInterval(() => saver.schedule(), 20)
  onTestFinished(() => clearInterval(changing))

  await expect.poll(() => starts.length).toBeGreaterThanOrEqual(3)

  const gaps = [1, 2].map((index) => (starts[index] as number) - (ends[index - 1] as number))
  for (const gap of gaps) expect(gap).toBeLessThan(times.maxWait)
})

test('a save that takes long starts earlier, so that changes are saved in time', async () => {
  const ages: number[] = []
  let firstChange: number | null = null
  const change = () => {
    firstChange ??= performance.now()
    saver.schedule()
  }
  const saver: DebouncedSave = new DebouncedSave(
    async () => {
      const since = firstChange
      firstChange = null
      await pause(400)
      ages.push(performance.now() - Number(since))
    },
    () => {},
    { pause: 100, maxWait: 1_000 },
  )
  const changing = setInterval(change, 20)
  onTestFinished(() => clearInterval(changing))

  await expect.poll(() => ages.length, { timeout: 6_000 }).toBeGreaterThanOrEqual(4)

  // The first save did not know how long it takes.
  for (const age of ages.slice(1)) expect(age).toBeLessThan(1_000)
})

test('after close, nothing is saved, even if the last save failed', async () => {
  let started = 0
  const saver = new DebouncedSave(
    async () => {
      started += 1
      throw new Error('full')
    },
    () => {},
    times,
  )
  saver.schedule()

  expect(await saver.close()).toBe(false)
  saver.schedule()
  await pause(400)

  expect(started).toBe(1)
})

test('a change is saved after a pause, which another change starts again', async () => {
  const { save, ends, started } = slowSave()
  const saver = new DebouncedSave(save, () => {}, { pause: 20, maxWait: 10_000 })

  saver.schedule()
  await pause(10)
  saver.schedule()
  await pause(15)
  const before = [started(), saver.status]
  await expect.poll(started, { interval: 5 }).toBe(1)
  const during = saver.status
  ends[0]?.()
  await nextTask()

  expect([before, during, saver.status]).toEqual([[0, 'unsaved'], 'unsaved', 'saved'])
})

test('changes without a pause are saved after the longest wait', async () => {
  const { save, started } = slowSave()
  const saver = new DebouncedSave(save, () => {}, { pause: 20, maxWait: 40 })
  const changing = setInterval(() => saver.schedule(), 5)
  onTestFinished(() => clearInterval(changing))

  await expect.poll(started, { interval: 5 }).toBe(1)
})

test('a flush replaces the save after the pause', async () => {
  let started = 0
  const save = async () => void started++
  const saver = new DebouncedSave(save, () => {}, { pause: 10, maxWait: 20 })

  saver.schedule()
  const flushed = [await saver.flush(), await saver.flush()]
  await pause(30)

  expect([flushed, started]).toEqual([[true, true], 1])
})

test('a pause that ends during a save starts one more save after it, and no third one', async () => {
  const { save, ends, started } = slowSave()
  const saver = new DebouncedSave(save, () => {}, { pause: 10, maxWait: 20 })
  saver.schedule()
  const first = saver.flush()

  saver.schedule()
  await pause(20)
  saver.schedule()
  await pause(20)
  const during = started()
  ends[0]?.()
  await first
  await nextTask()
  ends[1]?.()
  await pause(20)

  expect([during, started(), saver.status]).toEqual([1, 2, 'saved'])
})
