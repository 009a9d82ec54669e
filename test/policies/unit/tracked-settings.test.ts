import { expect, test } from 'vitest'
import {
  byPolicy,
  listReadPolicies,
  possibleValues,
  resolveByPolicy,
  TrackedSettings,
} from '../../../src/policies/by-policy.ts'
import { policyIds } from '../../../src/policies/setting-ranges.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

test('reads of two parts of a request are united', () => {
  const tracker = new TrackedSettings(resolvePolicies())
  const readsOf = (id: (typeof policyIds)[number]) => {
    void tracker.settings[id]
    return tracker.takeReads()
  }

  for (const first of policyIds) {
    for (const second of policyIds) {
      const both = readsOf(first).or(readsOf(second))
      expect(listReadPolicies(both)).toEqual(
        policyIds.filter((id) => id === first || id === second),
      )
    }
  }
})

test('equal reads in a row are one object', () => {
  const tracker = new TrackedSettings(resolvePolicies())
  void tracker.settings['limits.body']
  const first = tracker.takeReads()
  void tracker.settings.versioning
  tracker.forgetReads()
  void tracker.settings['limits.body']

  expect(tracker.takeReads()).toBe(first)
  expect(listReadPolicies(tracker.takeReads())).toEqual([])
  expect(listReadPolicies(first)).toEqual(['limits.body'])
})

test('trackers of the same settings share the values, and record only their own reads', () => {
  const one = new TrackedSettings(resolvePolicies())
  const other = new TrackedSettings(one.untracked, one)
  const live = new TrackedSettings(resolvePolicies('live'), one)

  const read = [one, other, live].map(({ settings }) => settings['annotations.delete.status'])

  expect(read).toEqual(
    [one, other, live].map(({ untracked }) => untracked['annotations.delete.status']),
  )
  void one.settings['limits.body']
  expect([one, other, live].map((each) => listReadPolicies(each.takeReads()))).toEqual([
    policyIds.filter((id) => ['annotations.delete.status', 'limits.body'].includes(id)),
    ['annotations.delete.status'],
    ['annotations.delete.status'],
  ])
})

test('a value is chosen by the setting of its policy', () => {
  const status = byPolicy('annotations.delete.status', {
    '405': 405,
    '405_empty': 405,
    '403': 403,
    '404': 404,
  })
  const settings = resolvePolicies('documented', { 'annotations.delete.status': 403 })

  expect(resolveByPolicy<number>(status, settings)).toBe(403)
  expect(resolveByPolicy(byPolicy('annotations.delete.status'), settings)).toBe('403')
  expect(possibleValues<number>(status)).toEqual([403, 404, 405, 405])
  expect([resolveByPolicy(200, settings), resolveByPolicy(null, settings)]).toEqual([200, null])
  expect(possibleValues(200)).toEqual([200])
  expect(possibleValues(byPolicy('limits.body'))).toEqual([])
})
