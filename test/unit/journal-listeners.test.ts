import { expect, test } from 'vitest'
import { Journal } from '../../src/sandbox/journal/journal.ts'
import type { PendingRecord } from '../../src/sandbox/journal/record.ts'

const record = {
  target: '/',
  requestHeaders: { bytes: 0 },
  requestBody: null,
  response: { status: 200, headers: {}, text: '', ascii: true },
  fault: null,
  changes: [],
} as unknown as PendingRecord

test('a listener that throws is reported; the others are told, and so is whoever adds', () => {
  const reported: unknown[] = []
  const told: unknown[] = []
  const journal = new Journal({}, (error) => reported.push(error))
  journal.listen(() => {
    throw new RangeError('too deep')
  })
  journal.listen((kept) => told.push(kept))

  journal.add(record)

  expect(journal.records).toEqual([record])
  expect(told).toEqual([record])
  expect(reported).toEqual([new RangeError('too deep')])
})
