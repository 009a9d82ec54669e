import { expect, test } from 'vitest'
import { ClientMistakes, clientRules } from '../../../src/analysis/client-rules/client-mistakes.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { type Started, start } from '../../support/lanes/start.ts'
import { readExamples } from './reads.table.ts'
import { type RuleExample, walk } from './rule-example.ts'
import { writeExamples } from './writes.table.ts'

const ruleExamples = [...writeExamples, ...readExamples]

async function startWith({ settings = {}, faults = [] }: RuleExample): Promise<Started> {
  const client = await start({ settings })
  for (const fault of faults) client.simulator.faults.add(fault)
  return client
}

test.each(ruleExamples)('$rule: $title', async (example) => {
  const client = await startWith(example)

  await example.breaks(client)

  const mistakes = client.simulator.journal.mistakes()
  const [found, ...others] = mistakes.filter(({ rule }) => rule === example.rule)
  expect(others).toEqual([])
  expect({ message: found?.message, entries: found?.entries }).toEqual({
    message: example.message,
    entries: example.entries,
  })
})

test.each(ruleExamples)('no alarm of $rule: $title', async (example) => {
  const client = await startWith(example)

  await example.keeps(client)

  const mistakes = client.simulator.journal.mistakes()
  expect(mistakes.filter(({ rule }) => rule === example.rule)).toEqual([])
})

test('every rule has a client that breaks it', () => {
  const rules = new Set(ruleExamples.map(({ rule }) => rule))

  expect([...rules].sort()).toEqual(clientRules.map(({ id }) => id).sort())
})

test('keys and filters in the links of a list are no page arithmetic', async () => {
  const client = await start({ profile: 'live', settings: { 'annotations.list.limit.default': 2 } })

  await walk(client, `${annotationsPath}?search=e&personal_api_key=phx_all`, { key: null })

  const rules = client.simulator.journal.mistakes().map(({ rule }) => rule)
  expect(rules).toEqual(['key-in-query'])
})

test('mistakes are found while requests arrive, with more requests than the journal stores', async () => {
  const client = await start({ journal: { entries: 2 } })
  const mistakes = new ClientMistakes()
  client.simulator.journal.follow((entry) => mistakes.add(entry))
  const deleting = ruleExamples.find(({ rule }) => rule === 'swallowed-delete')
  const duplicating = ruleExamples.find(({ rule }) => rule === 'duplicate-row')

  await deleting?.breaks(client)
  await duplicating?.breaks(client)

  const found = mistakes.list().map(({ rule, entries }) => ({ rule, entries }))
  expect(found).toEqual([
    { rule: 'swallowed-delete', entries: [1, 2] },
    { rule: 'duplicate-row', entries: [5, 6] },
  ])
  expect(mistakes.list()).toEqual(mistakes.list())
})
