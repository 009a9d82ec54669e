import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { mistakesIn, type Sent } from './entries.ts'

const change = { list: 'annotations', id: 1, kind: 'changed' } as const
const edit: Sent = {
  ...{ method: 'PATCH', operation: 'updateAnnotation', path: `${annotationsPath}1/` },
  ...{ sent: { content: 'New' }, body: { id: 1, deleted: true } },
}
const hide: Sent = {
  ...{ ...edit, sent: { deleted: true, content: 'New' } },
  changes: [{ ...change, fields: { deleted: [false, true] } }],
}

const updates: readonly [what: string, request: Sent, entries: number[]][] = [
  ['changed', { ...edit, changes: [{ ...change, fields: { deleted: [true, true] } }] }, [1]],
  ['hidden', hide, []],
  ['hidden again', { ...edit, sent: { deleted: true } }, []],
  ['hidden again, and changed', { ...edit, sent: hide.sent }, [1]],
  ['changed by a request that is refused', { ...edit, status: 400, changes: [] }, []],
  ['restored', { ...edit, sent: { deleted: false }, body: { id: 1, deleted: false } }, []],
]

test.each(updates)('a deleted row is %s', (_, request, entries) => {
  const mistakes = mistakesIn('stale-row', [request])

  expect(mistakes.map((mistake) => mistake.entries)).toEqual(entries.length > 0 ? [entries] : [])
})
