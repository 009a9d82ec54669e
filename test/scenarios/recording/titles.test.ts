import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { recordSteps } from '../../support/scenarios/recordings.ts'

test('the title of a list names the page', () => {
  const titles = recordSteps(
    [
      '?limit=2&offset=-2',
      '?limit=2&offset=0',
      '?limit=2&offset=1',
      '?limit=2&offset=2',
      '?limit=0&offset=5',
    ].map((query) => ({ url: list + query })),
  ).map(({ title }) => title)

  expect(titles).toEqual([
    'List annotations',
    'List annotations',
    'List annotations, from row 2',
    'List annotations, page 2',
    'List annotations, from row 6',
  ])
})

test.each<readonly [number, unknown, string]>([
  [201, {}, 'Create annotation'],
  [0, undefined, 'Create annotation: connection broken'],
  [400, { code: 'required', attr: 'content' }, 'Create annotation: refused, required in content'],
  [400, { code: 'not_a_list', attr: null }, 'Create annotation: refused, not a list'],
  [400, { code: 'required', attr: 'Ada' }, 'Create annotation: refused, required'],
  [400, { code: 'a'.repeat(40) }, `Create annotation: refused, ${'a'.repeat(40)}`],
  [400, { code: 'a'.repeat(41) }, 'Create annotation: failed with 400'],
  [400, { code: 'of Ada' }, 'Create annotation: failed with 400'],
  [400, { code: 7 }, 'Create annotation: failed with 400'],
  [401, { code: 'required' }, 'Create annotation: refused, no valid key'],
  [403, { detail: 'missing required scope' }, 'Create annotation: refused, scope missing'],
  [403, { detail: 'Out of scope.' }, 'Create annotation: refused, permission denied'],
  [404, { code: 'required' }, 'Create annotation: not found'],
  [409, { code: 'required' }, 'Create annotation: failed with 409'],
  [429, {}, 'Create annotation: refused, throttled'],
  [500, { detail: 'missing required scope' }, 'Create annotation: failed with 500'],
])('a step whose response has the status %i and the body %j is titled %j', (...row) => {
  const [status, received, title] = row

  expect(recordSteps([{ method: 'POST', url: list, status, received }])[0]?.title).toBe(title)
})

test('a change that sets `deleted` is a deletion', () => {
  const change = (deleted: unknown, received: unknown, status = 200) => ({
    ...{ method: 'PATCH', url: `${list}9/`, sent: { deleted }, status, received },
  })

  const titles = recordSteps([
    change(true, { deleted: true }),
    change(true, { deleted: false }),
    change(false, { deleted: false }),
    change(true, undefined, 400),
    { ...change(true, { deleted: true }), method: 'POST', url: list },
  ]).map(({ title }) => title)

  expect(titles).toEqual([
    'Update annotation: deleted',
    'Update annotation',
    'Update annotation',
    'Update annotation: failed with 400',
    'Create annotation',
  ])
})

test('a request to no operation has no title', () => {
  const steps = recordSteps([
    ...['/api/elsewhere/', '/'].map((url) => ({ url })),
    { method: 'PATCH', url: list, status: 405 },
  ])

  expect(steps.map(({ title }) => title)).toEqual([undefined, undefined, undefined])
})
