import { expect, test } from 'vitest'
import { clientRules } from '../../src/mistakes/mistake-finder.ts'
import { badClients } from './bad-clients.table.ts'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf, mistakesOf } from './written-clients.ts'

const bad = Object.entries(badClients).flatMap(([rule, clients]) =>
  Object.entries(clients).map(([name, run]) => ({
    name,
    run,
    finds: rule === 'none' ? [] : rule.split(' '),
  })),
)

// A reviewer reads the sentences of all rules in one difference.
test('what is said of each client with a mistake', async () => {
  const lines: string[] = []
  for (const { name, run, finds } of bad) {
    const mistakes = await mistakesOf(run)
    expect
      .soft(
        mistakes.map(({ rule }) => rule),
        name,
      )
      .toEqual(finds)
    lines.push(`A client that ${name}`)
    for (const { rule, level, message, cure } of mistakes)
      lines.push(`  ${rule}, ${level}: ${message}`, `    ${cure}`)
  }

  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('messages.outline.txt')
})

test('every rule is a sentence that fits into two lines', () => {
  const long = clientRules.filter(({ sentence }) => sentence.length > 200)

  expect(long.map(({ id, sentence }) => [id, sentence.length])).toEqual([])
})

test('every rule has a client that breaks it', () => {
  const broken = Object.keys(badClients).flatMap((rules) => rules.split(' '))
  const missing = clientRules.map(({ id }) => id).filter((id) => !broken.includes(id))

  expect(missing, 'Add a client to bad-clients.table.ts.').toEqual([])
})

test.each(Object.entries(goodClients))('no alarm of a client that %s', async (_, run) => {
  expect(await mistakesOf(run)).toEqual([])
})

test.each([
  ['50 entries', { entries: 50 }],
  ['3 entries', { entries: 3 }],
  ['no bodies', { body: 0 }],
])('no alarm of a client without a mistake with %s in the journal', async (_, journal) => {
  expect(await alarmsOf(goodClients, { journal })).toEqual([])
})
