import { expect, test } from 'vitest'
import {
  hashedPart,
  isKeyOfOtherReplica,
  keyPrefix,
  missingSandboxReason,
  replicaOfKey,
  sandboxIdPrefix,
} from '../../../src/world/replica.ts'

const replica = { number: 2, of: 4, run: 'm1' }

test('keys and ids name their replica, and ids its run', () => {
  expect([keyPrefix(null), keyPrefix(replica)]).toEqual(['phx_', 'phx_r2_'])
  expect([
    sandboxIdPrefix(null),
    sandboxIdPrefix(replica),
    sandboxIdPrefix({ number: 2, of: 4 }),
  ]).toEqual(['', 'r2-m1-', 'r2-'])
})

test.each([
  ['phx_r2_a', 2, false],
  ['phx_r12_a', 12, true],
  ['phx_r02_a', null, false],
  ['phx_r3', null, false],
  ['my_phx_r3_a', null, false],
  ['phx_all', null, false],
])('the key %s is of replica %s', (key, number, isOther) => {
  expect(replicaOfKey(key)).toBe(number)
  expect(isKeyOfOtherReplica(key, replica)).toBe(isOther)
  expect(isKeyOfOtherReplica(key, null)).toBe(false)
})

test('proxies hash what precedes the first dot of a key', () => {
  expect(['mine.a.b', 'mine'].map(hashedPart)).toEqual(['mine', 'mine'])
})

test.each([
  ['r2-m1-sandbox-1', replica, undefined],
  ['r2-m0-sandbox-1', replica, 'it ended when replica 2 was restarted'],
  ['r31-m1-sandbox-1', replica, 'it is on replica 31, and this is replica 2'],
  ['sandbox-1', replica, undefined],
  ['mine-r3-a', replica, undefined],
  ['r3-m1-sandbox-1', null, undefined],
])('the sandbox %s is missing in %j because of its replica: %s', (id, from, reason) => {
  expect(missingSandboxReason(id, from)).toBe(reason)
})
