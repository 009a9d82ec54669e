import { expect, test } from 'vitest'
import type { SandboxRequest } from '../../../../src/sandbox/sandboxes/sandboxes.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import type { NewRows } from '../../../../src/world/edit/add-rows.ts'

const rows: readonly [rows: unknown, issue: string][] = [
  [{ annotation: [{}] }, 'rows: unknown field "annotation". Did you mean "annotations"?'],
  [{ annotations: {} }, 'annotations: expected array, got {}'],
  [{ annotations: null }, 'annotations: expected array, got null'],
  [{ annotations: [{}, null] }, 'annotations[1]: expected object, got null'],
  [{ annotations: ['Launch'] }, 'annotations[0]: expected object, got "Launch"'],
  [{ keys: [null] }, 'keys[0]: expected object, got null'],
  [{ repository: [5] }, 'repository[0]: expected object, got 5'],
  [null, 'rows: expected object, got null'],
  [[], 'rows: expected object, got []'],
]

test.each(rows)('addRows refuses %j, and adds nothing', (input, issue) => {
  const simulator = createSimulator()
  const before = simulator.world.toJSON()
  const add = () => simulator.addRows(input as NewRows)

  expect(add).toThrow(UsageError)
  expect(add).toThrow(`Failed to add rows: 1 problem. Nothing was added.\n  ${issue}`)
  expect(simulator.world.toJSON()).toEqual(before)
})

test.each([
  ['numbers', 5, 'annotations[9999]: expected object, got 5'],
  ['invalid rows', { scope: 5 }, /^annotations\[9999\]\.scope: expected one of /],
])('the check of rows to add ends after ten thousand %s', (_, row, last) => {
  const annotations = Array(12_000).fill(row)

  const add = () => createSimulator().addRows({ annotations })

  const { message, issues } = errorOf(add)
  expect(message).toContain('Failed to add rows: at least 10000 problems. Nothing was added.')
  expect(issues).toHaveLength(10_000)
  expect(issues.at(-1)).toMatch(last)
})

function errorOf(run: () => unknown): UsageError {
  try {
    run()
  } catch (error) {
    return error as UsageError
  }
  throw new Error('expected an error')
}

const options = 'expected an object with options, '
const requests: readonly [request: unknown, messages: readonly string[], field: string | null][] = [
  [null, [options, 'got null.'], null],
  ['empty', [options, 'got "empty".'], null],
  [[], [options, 'got [].'], null],
  [{ sede: 1 }, ['unknown option "sede". Did you mean "seed"?'], 'sede'],
  [{ policies: null }, ['Failed to set policies: expected an object'], 'policies'],
  [{ clock: null }, ['expected an ISO 8601 time', 'got null'], 'clock.time'],
  [{ seed: null }, ['expected a whole number, got null'], 'seed'],
]

test.each(requests)('sandboxes.create and fork refuse %j', (request, messages, field) => {
  const simulator = createSimulator()
  const calls = [
    () => simulator.sandboxes.create(request as SandboxRequest),
    () => simulator.fork(request as SandboxRequest),
  ]

  for (const call of calls) {
    expect(call).toThrow(UsageError)
    for (const message of messages) expect(call).toThrow(message)
    expect(call).toThrow(expect.objectContaining({ field }))
  }
  expect(simulator.sandboxes.count).toBe(0)
})

test('an undefined field counts as missing', () => {
  const simulator = createSimulator()

  expect(simulator.addRows({ annotations: undefined } as unknown as NewRows)).toEqual({})
  expect(simulator.sandboxes.create({ from: undefined } as unknown as SandboxRequest).id).toBe(
    'sandbox-1',
  )
})
