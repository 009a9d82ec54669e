import { expect, onTestFinished, test, vi } from 'vitest'
import { TrackedSettings } from '../../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { LimitError } from '../../../src/utils/usage-error.ts'
import { Clock } from '../../../src/world/clock/clock.ts'
import { noon } from '../../support/api/paths.ts'

const { loaded } = createSimulator().sandbox

function open(policies = {}): Sandbox {
  const policyTracker = new TrackedSettings(resolvePolicies('documented', policies))
  return new Sandbox({ loaded, policyTracker, clock: new Clock(noon), report: () => {} })
}

test('a sandbox begins with its world, and counts restored worlds and keys', () => {
  const sandbox = open()
  const numbers = () => {
    const { seed, restoreCount, issuedKeys, retiredKeys, loaded } = sandbox
    return { seed, now: loaded.now, issued: loaded.issued, restoreCount, issuedKeys, retiredKeys }
  }
  const begin = { seed: loaded.seed, now: noon, issued: 0 }
  expect(numbers()).toEqual({ ...begin, restoreCount: 0, issuedKeys: 0, retiredKeys: 0 })

  sandbox.restore({ ...loaded, seed: 7, now: undefined, issued: 3 })
  expect(numbers()).toEqual({
    ...{ seed: 7, now: undefined, issued: 3 },
    ...{ restoreCount: 1, issuedKeys: 3, retiredKeys: 3 },
  })

  sandbox.restore({ ...loaded, issued: 2 })
  expect(numbers()).toEqual({ ...begin, issued: 3, restoreCount: 2, issuedKeys: 3, retiredKeys: 3 })
})

test('a fork has copies of the policies, the clock and the neighbours', () => {
  const sandbox = open({ 'limits.body': 5 })
  const warnings: string[] = []
  sandbox.onWarning((warning) => warnings.push(warning))

  const fork = sandbox.fork(sandbox.loaded)
  sandbox.clock.advance({ hours: 1 })
  sandbox.settings = resolvePolicies('live')

  fork.warn('no request matches')
  const { neighbours, report, journal } = fork
  expect(warnings).toEqual(['no request matches'])
  expect(neighbours).toBe(sandbox.neighbours)
  expect(report).toBe(sandbox.report)
  expect(journal.limits).toEqual(sandbox.journal.limits)
  expect(fork.clock.iso()).toBe(noon)
  expect(fork.policyTracker.untracked).toEqual(resolvePolicies('documented', { 'limits.body': 5 }))
})

test('the options of a fork replace what it copies', () => {
  const sandbox = open({ 'limits.body': 5 })
  const clock = '2020-01-01T00:00:00Z'
  const policies = { 'methods.put': 'off' } as const

  const fork = sandbox.fork(loaded, { seed: 3, profile: 'live', policies, clock })

  expect([fork.seed, fork.clock.iso()]).toEqual([3, clock])
  expect(fork.policyTracker.untracked).toEqual(resolvePolicies('live', policies))
})

test.each([
  [{ seed: 1.5 }, 'seed'],
  [{ clock: 'never' }, 'clock.time'],
  [{ policies: { 'limits.body': 0 } }, 'policies.limits.body'],
])('the option %j of a fork is refused, and the error names %s', (options, field) => {
  expect(() => open().fork(loaded, options)).toThrow(expect.objectContaining({ field }))
})

test('requests count only if a policy limits them, and again after a restored world', () => {
  const sandbox = open()
  const wait = () => {
    let seconds = 0
    for (let count = 0; count < 481; count++) seconds = sandbox.throttle('key')
    return seconds
  }

  const waits = [wait()]
  sandbox.settings = resolvePolicies('documented', { 'limits.rate': 'observed' })
  waits.push(sandbox.throttle('key'), wait())
  sandbox.resetRows()
  waits.push(sandbox.throttle('key'))

  expect(waits).toEqual([0, 0, 60, 0])
})

test('only an error about a limit becomes a response', () => {
  const sandbox = open()

  expect(sandbox.toFailure(new Error('a secret'))).toBe(null)
  expect(sandbox.toFailure(new LimitError('Too many.'))).toEqual({
    name: 'validation_error',
    detail: 'Too many.',
    details: {},
  })
})

test('warnings go to the console unless they are sent elsewhere', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())

  open().warn('no request matches')

  expect(warn.mock.calls).toEqual([['no request matches']])
})
