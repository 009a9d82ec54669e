import { expect, test } from 'vitest'
import { recordExchanges, recordSteps } from '../../support/scenarios/exchanges.ts'

const letters = (count: number) => 'a1B2c3D4e5F6'.repeat(8).slice(0, count)

// No token is written in one piece, so that no scanner reports this file.
test.each([
  ['ghp', '_', letters(36)],
  ['gho', '_', letters(36)],
  ['github_pat', '_', `${letters(22)}_${letters(59)}`],
  ['glpat', '-', letters(20)],
  ['sk_live', '_', letters(24)],
  ['rk_test', '_', letters(24)],
  ['AKIA', '', 'ABCDEFGH23456789'],
  ['xoxb', '-', `123456789012-${letters(24)}`],
  ['AIza', '', letters(35)],
  ['npm', '_', letters(36)],
  ['SG', '.', `${letters(22)}.${letters(43)}`],
  ['whsec', '_', letters(32)],
  ['xapp', '-', `1-${letters(24)}`],
  ['ya29', '.', letters(30)],
  ['GOCSPX', '-', letters(28)],
  ['pypi', '-', letters(60)],
  ['hf', '_', letters(34)],
  ['dop_v1', '_', 'a1b2c3d4'.repeat(8)],
  ['shpat', '_', 'a1b2c3d4'.repeat(4)],
  ['sk', '-', letters(40)],
])('a token that begins with %s is replaced anywhere in a text', (mark, separator, rest) => {
  const token = mark + separator + rest

  const [step] = recordSteps([
    {
      method: 'POST',
      url: `/api/projects/1/annotations/?note=${token}`,
      sent: { content: `Use ${token}, or "${token}"` },
      received: { [token]: 1 },
    },
  ])

  expect(JSON.stringify(step)).not.toContain(rest)
  expect(step?.body).toEqual({ content: 'Use replaced-secret-1, or "replaced-secret-1"' })
})

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
      query: { next: 'https://u:replaced-secret-1@h/' },
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

test('words that only look like the mark of a token stay', () => {
  const content = 'The sk_live_ prefix, AKIAN, a xox- key, sk-learn and npm_config'

  const [step] = recordSteps([{ method: 'POST', sent: { content }, received: {} }])

  expect(step?.body).toEqual({ content })
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
