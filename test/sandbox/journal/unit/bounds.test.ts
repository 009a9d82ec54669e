import { expect, test } from 'vitest'
import { Journal, type JournalLimits } from '../../../../src/sandbox/journal/journal.ts'

const response = { status: 200, headers: {}, body: null }

/** A record of 600 bytes, and its body. */
function recordOf(id: number, requestBody: string | null = null) {
  const requestHeaders = { bytes: 0 }
  return {
    id,
    target: '',
    requestHeaders,
    requestBody,
    response,
    fault: null,
    changes: [],
  } as never
}

function journalOf(limits: JournalLimits): Journal {
  return new Journal(limits)
}

test.each([
  [{}, { entries: 1_000, bytes: 16_777_216, redact: [] }, false],
  [{ entries: 0, bytes: 0 }, { entries: 0, bytes: 0, redact: [] }, true],
  [{ entries: 1, redact: ['a'] }, { entries: 1, bytes: 16_777_216, redact: ['a'] }, false],
] as const)('the limits %j are completed', (limits, completed, isOff) => {
  const journal = journalOf(limits)

  expect([journal.limits, journal.isOff]).toEqual([completed, isOff])
})

test('next returns the oldest record at a position or after it, until the journal is cleared', () => {
  const journal = journalOf({ entries: 2 })
  for (let count = 0; count < 3; count++) journal.add(recordOf(journal.nextId()))
  const at = (position: number) => {
    const next = journal.next(position)
    return next && [next.item.id, next.position]
  }

  const found = [0, 1, 2, 3].map(at)
  journal.clear()

  expect(found).toEqual([[2, 1], [2, 1], [3, 2], null])
  expect([at(0), journal.records, journal.evictedCount]).toEqual([null, [], 0])
  expect([journal.position, journal.lastId, journal.nextId()]).toEqual([3, 3, 4])
})
