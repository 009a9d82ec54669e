import { expect, test } from 'vitest'
import type { MessageBody } from '../../../../src/http/messages.ts'
import {
  compactRecord,
  type JournalRecord,
  responseHead,
} from '../../../../src/sandbox/journal/journal.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { JsonText, toJsonText } from '../../../../src/utils/json.ts'
import { EncodedPage, JsonPage, Slice } from '../../../../src/utils/json-page.ts'
import { BlockCache, encodedPart } from '../../../../src/world/table/encoded-blocks.ts'
import { authorization } from '../../../support/api/headers.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

const limit = 1_000

/** Stores a response with this body. Returns the record and its bytes. */
function store(body: MessageBody, fields: object = {}) {
  const record = {
    target: '/api/',
    requestHeaders: { bytes: 50 },
    requestBody: null,
    response: { status: 200, headers: {}, body },
    fault: null,
    changes: [],
    ...fields,
  } as unknown as JournalRecord
  const bytes = compactRecord(record as never, limit)
  return { record, bytes, body: record.response.body }
}

/** A page of 100 bytes per row. */
function pageOf(rowCount: number, head = '{"results":') {
  const rows = Array.from({ length: rowCount }, () => toJsonText('x'.repeat(97)))
  const part = encodedPart(rows, (row) => row)
  return new JsonPage(head, new Slice(new EncodedPage([part], new BlockCache()), 9))
}

const source = { text: 'é'.repeat(500) }
const largestPage = pageOf(9, '{"results":'.padEnd(98))

test.each<[title: string, body: MessageBody, stored: MessageBody, bytes: number]>([
  ['none', null, null, 0],
  ['a text of the limit', 'é'.repeat(500), 'é'.repeat(500), 1_000],
  ['a longer text', 'é'.repeat(501), { omitted: 1_002 }, 0],
  ['JSON', new JsonText('{}'), '{}', 2],
  ['JSON that can be written again', new JsonText(source.text, 1_000, source), source, 1_000],
  ['a page', largestPage, largestPage, 225],
  ['a longer page', pageOf(9, '{"results":'.padEnd(99)), { omitted: 1_001 }, 0],
  ['chunks', (async function* () {})(), '', 0],
  ['chunks of a text', { text: '{}', ...(async function* () {})() }, '{}', 2],
  ['a body that was omitted already', { omitted: 9 }, { omitted: 9 }, 9],
])('the stored body of a response: %s', (_title, body, stored, bytes) => {
  const actual = store(body)

  expect(actual.body).toEqual(stored)
  expect(actual.bytes).toBe(655 + bytes)
})

test.each([
  [1_034, false],
  [1_035, true],
])('five bytes of a buffer of %i bytes are copied: %s', (size, isCopied) => {
  const sent = new Uint8Array(new ArrayBuffer(size), 10, 5).fill(7)

  const { requestBody } = store(null, { requestBody: sent }).record

  expect(requestBody).toEqual(new Uint8Array(5).fill(7))
  expect((requestBody as Uint8Array).buffer.byteLength).toBe(isCopied ? 5 : size)
})

test('the head of a response is the text before the rows of a page, or 1,000 characters', () => {
  const bodies = [pageOf(2), { omitted: 5_000 }, 'a'.repeat(1_001), { text: '{}' }]

  const heads = bodies.map((body) => responseHead({ response: { body } } as JournalRecord))

  expect(heads).toEqual(['{"results":', '', 'a'.repeat(1_000), '{}'])
})

test('the journal has the latest thousand pages, also if each is a small part of a buffer', async () => {
  const simulator = createSimulator()
  const get = (query: string) =>
    simulator.fetch(annotationsPath + query, { headers: authorization() })
  for (let count = 0; count < 60; count++) simulator.world.annotations.create({ content: 'Launch' })

  for (let count = 0; count < 1_000; count++) await get(`?limit=1&offset=${count % 60}`)

  expect(simulator.journal.find({ limit: 1_000 })).toHaveLength(1_000)
})

test('a page makes its rows again when it is read, as they were sent', async () => {
  const simulator = createSimulator()
  const get = (query: string) =>
    simulator.fetch(annotationsPath + query, { headers: authorization() })
  const pages = [await get('?limit=2'), await get('?limit=2&offset=1'), await get('?search=a')]
  const sent = await Promise.all(pages.map((response) => response.json()))
  for (const { id } of simulator.world.annotations.list()) {
    simulator.world.annotations.update(id, { content: 'Changed' })
  }
  simulator.world.users.update(1, { first_name: 'Changed' })
  simulator.policies.set({ versioning: 'may_2024' })

  const stored = simulator.journal.find().map(({ response }) => response.body)

  expect(stored).toEqual(sent)
})
