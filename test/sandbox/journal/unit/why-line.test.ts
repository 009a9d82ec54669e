import { expect, onTestFinished, test, vi } from 'vitest'
import type { ApiResponse } from '../../../../src/http/messages.ts'
import type { JournalRecord } from '../../../../src/sandbox/journal/journal.ts'
import { JournalReader } from '../../../../src/sandbox/journal/journal-reader.ts'
import { createExplainer } from '../../../../src/sandbox/journal/why-header.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'

const headers = { 'content-type': 'text/plain' }
const response = { status: 404, headers, body: 'no' } as unknown as ApiResponse
const record = {} as JournalRecord
const sandbox = { events: { on: () => {} } } as unknown as Sandbox

/** Explains a response whose journal has this reason and this ignored input. */
function explain(reason: string | null, ignored: readonly string[]): ApiResponse | undefined {
  const summary = { reason: () => reason, ignored: () => ignored }
  const summarize = vi.spyOn(JournalReader.prototype, 'summarize')
  onTestFinished(() => summarize.mockRestore())
  summarize.mockReturnValue(summary as never)
  return createExplainer(true)?.(response, record, sandbox)
}

test.each([
  ['404: no', [], '404: no'],
  ['404: no', ['?a', 'body.b'], '404: no; ignored: ?a; ignored: body.b'],
  [null, ['?a'], 'ignored: ?a'],
  ['a…b', ['c…'], 'a...b; ignored: c...'],
  ['é\n~\u007f🦔', [], String.raw`\u00e9\u000a~\u007f\ud83e\udd94`],
  ['a'.repeat(1_000), [], 'a'.repeat(1_000)],
  ['a'.repeat(1_001), [], `${'a'.repeat(997)}...`],
  ['a'.repeat(996), ['b'], `${'a'.repeat(996)};...`],
])('the header of a response is one line of ASCII: %j, %j', (reason, ignored, line) => {
  expect(explain(reason, ignored)).toEqual({
    ...response,
    headers: { ...headers, 'understudy-why': line },
  })
})
