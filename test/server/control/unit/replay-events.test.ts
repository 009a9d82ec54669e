import { expect, test } from 'vitest'
import type { ReplayResult, StepResult } from '../../../../src/scenarios/run/result.ts'
import { replayEvents } from '../../../../src/server/control/scenarios.ts'

const step = (number: number) => ({ step: number }) as unknown as StepResult
const result = { title: 'A story', passed: true } as unknown as ReplayResult
const textOf = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value)

test('a replay ends after its current step if the client disconnects, even during a read', async () => {
  let continueStep = (): void => {}
  const steps: number[] = []
  let replay: Promise<ReplayResult> | null = null
  const run = async (onStep: (step: StepResult) => Promise<void>): Promise<ReplayResult> => {
    for (let number = 1; number < 100; number++) {
      steps.push(number)
      await new Promise<void>((resolve) => {
        continueStep = resolve
        if (number === 1) resolve()
      })
      await onStep(step(number))
    }
    return result
  }
  const events = await replayEvents((onStep) => {
    replay = run(onStep)
    return replay
  })
  const reader = events[Symbol.asyncIterator]()

  const first = await reader.next()
  const pending = reader.next()
  await reader.return?.()
  continueStep()

  expect(textOf(first)).toBe('event: step\ndata: {"step":1}\n\n')
  expect(await pending).toEqual({ done: true, value: undefined })
  await expect(replay).rejects.toThrow('The client disconnected.')
  expect(steps).toEqual([1, 2])
})

test('an error before the first step is thrown, and a later one is an event', async () => {
  const broken = async () => {
    throw new Error('No world.')
  }
  const events = await replayEvents(async (onStep) => {
    await onStep(step(1))
    throw new Error('No more.')
  })

  await expect(replayEvents(broken)).rejects.toThrow('No world.')
  const texts = []
  for await (const piece of events) texts.push(textOf({ value: piece }))
  expect(texts.at(-1)).toBe('event: error\ndata: {"message":"No more."}\n\n')
})
