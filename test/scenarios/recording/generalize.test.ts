import { expect, test } from 'vitest'
import { recordSteps } from '../../support/scenarios/recordings.ts'
import { exampleOrigin } from '../../support/traffic.ts'

const list = '/api/projects/1/annotations/'
test.each<readonly [string, unknown, unknown]>([
  ['a time', { at: '2024-06-15T12:00:01Z' }, { at: { $match: 'time' } }],
  ['a time of the client', { at: '2024-06-15T12:00:00.0Z' }, { at: '2024-06-15T12:00:00.0Z' }],
  ['an address of a person', { email: 'ada@corp.test' }, { email: 'replaced-email-1@example.com' }],
  [
    'links',
    { note: `See {x} ${exampleOrigin}${list}13/?a={y} and ${exampleOrigin}/annotations/13` },
    { note: { $saved: `See {{x}} {base_url}${list}13/?a={{y}} and {base_url}/annotations/13` } },
  ],
  ['a link of the client', { note: `${exampleOrigin}/a` }, { note: `${exampleOrigin}/a` }],
  ['the base URL alone', { note: `See ${exampleOrigin}` }, { note: `See ${exampleOrigin}` }],
  ['other values', { id: 9, b: true, c: 'x', n: null }, { id: 9, b: true, c: 'x', n: null }],
])('%s of a response is expected as in each replay', (_, received, expected) => {
  const steps = recordSteps([
    {
      method: 'PATCH',
      url: `${list}13/?after=2024-06-15T12:00:00Z`,
      sent: { content: 'ada@corp.test', note: `${exampleOrigin}/a` },
    },
    { received },
  ])

  expect(steps[1]?.expect?.exact_body).toEqual(expected)
})
