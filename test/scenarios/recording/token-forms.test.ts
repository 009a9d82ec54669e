import { expect, test } from 'vitest'
import { recordExchanges, recordSteps } from '../../support/scenarios/exchanges.ts'

const letters = (count: number) => 'a1B2c3D4e5F6'.repeat(8).slice(0, count)

test('the password of a URL is replaced in texts, links and addresses, also before a host with a domain', () => {
  const note = 'postgres://app:canary@one@db.corp.test/x and https://:canary-2@localhost:1/'
  const { scenario } = recordExchanges([
    {
      method: 'POST',
      url: `/api/projects/1/annotations/?next=${encodeURIComponent('https://u:canary-3@h/')}`,
      sent: { content: note },
      received: { content: note, source_url: 'ssh://git:canary-4@h.test', port: 'http://h:80/a@b' },
    },
  ])

  expect(scenario.steps).toMatchObject([
    {
      path: expect.stringContaining(encodeURIComponent('https://u:replaced-secret-1@h/')),
      body: {
        content:
          'postgres://app:replaced-secret-2@db.corp.test/x and https://:replaced-secret-3@localhost:1/',
      },
      expect: {
        exact_body: {
          content:
            'postgres://app:replaced-secret-2@db.corp.test/x and https://:replaced-secret-3@localhost:1/',
          source_url: 'ssh://git:replaced-secret-4@h.test',
          port: 'http://h:80/a@b',
        },
      },
    },
  ])
})

test('the token of a project is replaced anywhere in a text', () => {
  const content = `Project ${['phc', letters(32)].join('_')} was renamed`

  const [step] = recordSteps([{ method: 'POST', sent: { content }, received: {} }])

  expect(step?.body).toEqual({ content: 'Project replaced-key-1 was renamed' })
})

test('a full name that a field for names has shown is replaced in texts', () => {
  const bob = { first_name: 'Bob', last_name: 'Real', email: 'bob@corp.test' }
  const steps = recordSteps([
    { method: 'POST', sent: { content: 'By Bob Real' }, received: { created_by: bob } },
    { method: 'POST', sent: { content: 'Bob Real, Bob' }, received: { content: 'Bob Real' } },
  ])

  expect(steps.map(({ body }) => body)).toEqual([
    { content: 'By replaced-name-1' },
    { content: 'replaced-name-1, Bob' },
  ])
})
